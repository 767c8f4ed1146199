#include "kernel.glsl"
#include "algebra.glsl"
#include "exact.glsl"
#include "sparse/bounds.glsl"
#include "fsai/fsai.h"

/* The size of each row and the weight of each column, which scale the residuals of FSAI. With `positive` they are a_ii
 * and 1 / sqrt(a_ii); otherwise the largest magnitude m of row i, and m / |a_ii|, where |a_ii| counts as at least m /
 * 128. flags[0] becomes the first row whose size is zero, flags[1] the first where it is negative; the caller
 * initialises both to 0xFFFFFFFF. Traffic: the diagonal, 3n. */
ARGS {
    u32s   row; /* n + 1 offsets into col and val */
    u32s   col; /* ascending in a row */
    values val;
    values most; /* the largest magnitudes of rows */
    reals  weight;
    reals  size;
    u32s   flags;
    uint   n;
};
CONSTANT(1, positive);

void main()
{
    FOR_EACH(i, n) {
        uint last = row.at[i + 1u], k = lower_bound(col, row.at[i], last, i);
        scalar_t a = k < last && col.at[k] == i ? scalar_t(val.at[k]) : scalar_t(0);
        real large = real_part(most.at[i]);
        real least = real(FSAI_WEAK_DIAGONAL) * large, whole = positive != 0 ? real_part(a) : large;
        if (whole == real(0))
            atomicMin(flags.at[0], i);
        if (whole < real(0))
            atomicMin(flags.at[1], i);
        size.at[i] = whole;
        weight.at[i] = positive != 0 ? divide(real(1), square_root(magnitude(a)))
                                      : divide(large, max(magnitude(a), least));
    }
}
