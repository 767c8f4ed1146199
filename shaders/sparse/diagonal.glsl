/* 1 / a, where a is the diagonal entry of row i. Also flags faults: flags[0] becomes the first row whose diagonal is
 * missing or zero, flags[1] the first whose diagonal is negative, flags[2] the first whose diagonal or its reciprocal
 * is not finite; and flags[3] the first whose diagonal differs from `same`, the diagonal of row 0. The caller
 * initialises all four to 0xFFFFFFFF. */
#include "algebra.glsl"
#include "exact.glsl"

INLINE scalar_t inverted(u32s flags, uint i, scalar_t a, scalar_t same)
{
    scalar_t inverse = divide(scalar_of(real(1)), a);
    if (a == scalar_t(0))
        atomicMin(flags.at[0], i);
    else if (!finite(a) || !finite(inverse))
        atomicMin(flags.at[2], i);
    else if (real_part(a) < real(0))
        atomicMin(flags.at[1], i);
    if (a != same)
        atomicMin(flags.at[3], i);
    return inverse;
}
