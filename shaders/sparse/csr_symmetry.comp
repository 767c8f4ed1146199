#include "kernel.glsl"
#include "algebra.glsl"
#include "exact.glsl"
#include "sparse/bounds.glsl"
#include "sparse/symmetry.h"

/* Whether A is symmetric, and the signs of its diagonal: words of symmetry.h, by minima over rows, whose order does not
 * matter. Traffic: the matrix twice; mirror images are mostly in the cache. */
ARGS {
    u32s   row; /* n + 1 offsets into col and val */
    u32s   col; /* ascending in a row */
    values val;
    u32s   found;
    uint   n;
    uint   entries;
};

#if REAL == 64
const real rounding = real(SYMMETRY_ROUNDING_64), least = real(SYMMETRY_LEAST_64);
#else
const real rounding = real(SYMMETRY_ROUNDING_32), least = real(SYMMETRY_LEAST_32);
#endif

/* Most rows find that a smaller one is already recorded, and need no atomic operation. */
void note(uint kind, uint i)
{
    if (found.at[kind] > i)
        atomicMin(found.at[kind], i);
}

/* a_ij; 0 if it is not stored. */
scalar_t entry(uint i, uint j)
{
    uint end = row.at[i + 1u], k = lower_bound(col, row.at[i], end, j);
    return k < end && col.at[k] == j ? scalar_t(val.at[k]) : scalar_t(0);
}

void inspect_diagonal(uint i)
{
    real a = real_part(entry(i, i));
    note(a == real(0) ? SYMMETRY_ZERO : a < real(0) ? SYMMETRY_NEGATIVE : SYMMETRY_POSITIVE, i);
}

void compare(uint e)
{
    uint i = row_of(row, n, e), j = col.at[e];
    if (i == j || found.at[SYMMETRY_UNEQUAL] <= i)
        return;
    scalar_t a = scalar_t(val.at[e]), mirrored = entry(j, i);
    real differ = magnitude(a - mirrored);
    if (differ >= least && differ > rounding * max(magnitude(a), magnitude(mirrored)) &&
        differ > rounding * (square_root(magnitude(entry(i, i))) * square_root(magnitude(entry(j, j)))))
        note(SYMMETRY_UNEQUAL, i);
}

void main()
{
    FOR_EACH(i, n)
        inspect_diagonal(i);
    FOR_EACH(e, entries)
        compare(e);
}
