#version 460
#include "kernel.glsl"
#include "sparse/bounds.glsl"
#include "sparse/magnitude.glsl"
#include "sparse/symmetry.h"

/* Whether A is symmetric, and the signs of its diagonal: words as symmetry.h says. Part 0 finds the largest magnitude,
 * part 1 the rest, by minima of rows, whose order is nobody's matter. Traffic: the values; then the matrix twice, whose
 * mirror images are mostly in the cache. */
ARGS {
    u32s   row; /* n + 1 offsets into col and val */
    u32s   col; /* ascending in a row */
    values val;
    u32s   found;
    uint   n;
    uint   entries;
};
CONSTANT(1, part);

#if REAL == 64
uint upper(real v)
{
    return magnitude_of(v).y;
}
real of_upper(uint word)
{
    return packDouble2x32(uvec2(0, word));
}
const real rounding = real(SYMMETRY_ROUNDING_64);
#else
uint upper(real v)
{
    return magnitude_of(v);
}
real of_upper(uint word)
{
    return uintBitsToFloat(word);
}
const real rounding = real(SYMMETRY_ROUNDING_32);
#endif

/* Most rows find a lesser one there, and need no atomic operation. */
void note(uint kind, uint i)
{
    if (found.at[kind] > i)
        atomicMin(found.at[kind], i);
}

void look_at_diagonal(uint i)
{
    uint end = row.at[i + 1u], k = lower_bound(col, row.at[i], end, i);
    real a = k < end && col.at[k] == i ? real(val.at[k]) : real(0);
    note(a == real(0) ? SYMMETRY_ZERO : a < real(0) ? SYMMETRY_NEGATIVE : SYMMETRY_POSITIVE, i);
}

void compare(uint e, real bound)
{
    uint i = row_of(row, n, e), j = col.at[e];
    if (i == j || found.at[SYMMETRY_UNEQUAL] <= i)
        return;
    uint end = row.at[j + 1u], k = lower_bound(col, row.at[j], end, i);
    real mirrored = k < end && col.at[k] == i ? real(val.at[k]) : real(0);
    if (abs(real(val.at[e]) - mirrored) > bound)
        note(SYMMETRY_UNEQUAL, i);
}

void main()
{
    if (part == 0) {
        FOR_EACH(e, entries) {
            uint word = upper(real(val.at[e]));
            if (found.at[SYMMETRY_LARGEST] < word)
                atomicMax(found.at[SYMMETRY_LARGEST], word);
        }
        return;
    }
    real bound = rounding * of_upper(found.at[SYMMETRY_LARGEST]);
    FOR_EACH(i, n)
        look_at_diagonal(i);
    FOR_EACH(e, entries)
        compare(e, bound);
}
