#include "each.glsl"
#include "solver/jacobi.glsl"

/* x = x + w (d (b - q)), q = A x, or if `fixpoint` x = q + b, q = M x: iteration `step` of the sweep that jacobi_decide
 * has begun. Traffic: b, q, d and x read, x written: 5n (fixpoint: 3n). */
ARGS {
    control        c;
    jacobi_numbers w;
    reals          x;
    reals          b;
    reals          q;
    reals          d; /* 1 / diagonal */
    uint           n;
    uint           fixpoint;
    uint           step;
};

void main()
{
    if (c.state != STATE_RUNNING || step >= w.pending)
        return;
    real weight = w.weight;
    FOR_EACH(i, n) {
        real bi = b.at[i], qi = q.at[i];
        if (fixpoint != 0)
            x.at[i] = qi + bi;
        else
            x.at[i] = x.at[i] + weight * (d.at[i] * (bi - qi));
    }
}
