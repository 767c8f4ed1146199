#include "each.glsl"

/* Converts r = A x, in doubles, to b - r or, if `fixpoint`, b + r - x. Traffic: b (and x) read, r read and written. */
ARGS {
    reals   x;
    reals   b;
    doubles r;
    uint    n;
    uint    fixpoint;
};

void main()
{
    FOR_EACH(i, n) {
        double sum = r.at[i];
        r.at[i] = fixpoint != 0 ? (double(b.at[i]) + sum) - double(x.at[i]) : double(b.at[i]) - sum;
    }
}
