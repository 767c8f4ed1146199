#include "kernel.glsl"
#include "sparse/diagonal.glsl"

/* d[i] = 1 / a_ii, and flags, see diagonal.glsl. */
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
        d.at[i] = inverted(flags, i, a, same);
    }
}
