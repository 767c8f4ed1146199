/* 1 / a, where a is the diagonal entry of row i. Also flags faults: flags[0] becomes the first row whose diagonal is
 * missing or zero, flags[1] the first whose diagonal is negative, flags[2] the first where it or its reciprocal is not
 * finite; and flags[3] the first whose diagonal differs from `same`, that of row 0. The caller initialises all four to
 * 0xFFFFFFFF. */
#include "exact.glsl"

INLINE real inverted(u32s flags, uint i, real a, real same)
{
    real inverse = divide(real(1), a);
    if (a == real(0))
        atomicMin(flags.at[0], i);
    else if (!finite(a) || !finite(inverse))
        atomicMin(flags.at[2], i);
    else if (a < real(0))
        atomicMin(flags.at[1], i);
    if (a != same)
        atomicMin(flags.at[3], i);
    return inverse;
}
