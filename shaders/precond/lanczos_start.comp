#include "each.glsl"
#include "exact.glsl"
#include "hash.glsl"

/* r[i] = (a pseudorandom number in [-1, 1)) / sqrt(d[i]). In the scalar product of D, the diagonal matrix of d, all
 * rows then have equal weight, however much the entries of D differ. Traffic: d read, r written: 2n. */
ARGS {
    reals d;
    reals r;
    uint  n;
};
CONSTANT(1, varies); /* 0: D is d[0] in all rows */

void main()
{
    FOR_EACH(i, n) {
        real v = real(hash(i + 1u) >> 8) * real(1.1920928955078125e-7) - real(1); /* 24 bits: exact */
        r.at[i] = divide(v, square_root(d.at[varies != 0 ? i : 0]));
    }
}
