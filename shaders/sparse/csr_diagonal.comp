#version 460
#include "kernel.glsl"
#include "exact.glsl"

/* d[i] = 1 / a_ii. What it must not divide by is found on the way: flags[0] becomes the first row whose diagonal is
 * missing or zero, flags[1] the first whose diagonal is negative, flags[2] the first where it or its
 * reciprocal is not finite; and flags[3] the first whose diagonal is not that of row 0. The caller sets all four to
 * 0xFFFFFFFF. */
ARGS {
    u32s   row; /* n + 1 offsets into col and val */
    u32s   col; /* ascending in a row */
    values val;
    reals  d;
    u32s   flags;
    uint   n;
};

void main()
{
    uint first = row.at[0];
    real same = row.at[min(1u, n)] > first && col.at[first] == 0 ? val.at[first] : real(0);
    FOR_EACH(i, n) {
        real a = real(0);
        for (uint k = row.at[i]; k < row.at[i + 1] && col.at[k] <= i; k++)
            a = col.at[k] == i ? val.at[k] : a;
        real inverse = divide(real(1), a);
        if (a == real(0))
            atomicMin(flags.at[0], i);
        else if (!finite(a) || !finite(inverse))
            atomicMin(flags.at[2], i);
        else if (a < real(0))
            atomicMin(flags.at[1], i);
        if (a != same)
            atomicMin(flags.at[3], i);
        d.at[i] = inverse;
    }
}
