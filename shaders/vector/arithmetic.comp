#include "each.glsl"
#include "fused.glsl"

/* Eight results for each pair x[i], y[i]: x + y, x - y, x y, x / y, the root of x, x y + x in two instructions, then
 * rounded once x y + x (i odd) or the rounding error of x y (i even), and 1 / x by reciprocal(). Row k of n has result
 * k: results[k n + i]. The arithmetic self-test compares them with the host's. */
ARGS {
    reals x;
    reals y;
    reals results;
    uint  n;
};

void main()
{
    FOR_EACH(i, n) {
        real a = x.at[i], b = y.at[i];
        results.at[i] = a + b;
        results.at[n + i] = a - b;
        results.at[2 * n + i] = a * b;
        results.at[3 * n + i] = divide(a, b);
        results.at[4 * n + i] = square_root(a);
        results.at[5 * n + i] = a * b + a;
        results.at[6 * n + i] = fused(a, b, (i & 1u) != 0 ? a : -(a * b));
        results.at[7 * n + i] = reciprocal(a);
    }
}
