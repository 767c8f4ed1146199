#include "each.glsl"

/* x = x + w (d (b - q)), q = A x; if `first`, from x = 0. Traffic: b, q, d and x read, x written: 5n (first: 3n). */
ARGS {
    guard  g;
    number weight;
    reals  x;
    reals  b;
    reals  q;
    reals  d; /* 1 / diagonal */
    uint   n;
    uint   first;
};

void main()
{
    if (stopped(g))
        return;
    real w = weight.value;
    FOR_EACH(i, n) {
        if (first != 0)
            x.at[i] = w * (d.at[i] * b.at[i]);
        else
            x.at[i] = x.at[i] + w * (d.at[i] * (b.at[i] - q.at[i]));
    }
}
