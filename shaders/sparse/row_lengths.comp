#include "kernel.glsl"
#include "sparse/slices.glsl"
#include "sparse/statistics.h"

/* Statistics of row lengths: the number in each class, extremes, second and third moments about `middle`, long rows
 * and their entries; and the sizes of slices, each as wide as its longest row that is not long. Sums are of integers,
 * so they are exact in any order. A workgroup takes 256 rows, which are whole slices. Traffic: the row offsets and the
 * order read, a word for each slice written. */
ARGS {
    u32s  row;    /* n + 1 offsets */
    u32s  order;  /* of the rows in slices; null: unchanged */
    u32s  sizes;  /* of the slices; null: not computed */
    u32s  words;  /* of the statistics */
    zeros none;
    uint  n;      /* rows */
    uint  height; /* of a slice, a power of two from 4 to 128 */
    uint  middle;
};
DEFINE_NO_ADDRESS

shared uint seen[LENGTH_WORDS], widths[64];

uvec3 added(uvec3 a, uvec3 b)
{
    uint low, middle_, carried;
    uvec3 sum;
    sum.x = uaddCarry(a.x, b.x, low);
    sum.y = uaddCarry(a.y, b.y, middle_);
    sum.y = uaddCarry(sum.y, low, carried);
    sum.z = a.z + b.z + middle_ + carried;
    return sum;
}

/* Adds words one by one, each with the carry of the previous one: finally all carries have been added. */
void add_here(uint to, uvec3 v, uint count)
{
    for (uint k = 0, carry = 0; k < count; k++) {
        uint over, part = uaddCarry(v[k], carry, over), before = atomicAdd(seen[to + k], part);
        carry = over + uint(before + part < before);
    }
}

void add_there(uint to, uint count)
{
    for (uint k = 0, carry = 0; k < count; k++) {
        uint over, part = uaddCarry(seen[to + k], carry, over), before = atomicAdd(words.at[to + k], part);
        carry = over + uint(before + part < before);
    }
}

/* Moments of the rows of an invocation. */
struct moments {
    uint longest, not_shortest;
    uvec3 squares, cubes;
};

void add_row(inout moments m, uint length)
{
    m.longest = max(m.longest, length);
    m.not_shortest = max(m.not_shortest, ~length);
    bool below = length < middle;
    uint off = below ? middle - length : length - middle, carry;
    uvec3 square, low, high;
    umulExtended(off, off, square.y, square.x);
    umulExtended(square.x, off, low.y, low.x);
    umulExtended(square.y, off, high.z, high.y);
    square.z = low.z = high.x = 0;
    uvec3 cube = added(low, high);
    m.squares = added(m.squares, square);
    m.cubes = added(m.cubes, below ? added(~cube, uvec3(1, 0, 0)) : cube);
}

/* Adds row i, part of slice ME / height of the current slices. */
void take_row(inout moments m, uint i)
{
    uint at = row_of(order, n, i), length = row.at[at + 1u] - row.at[at];
    atomicAdd(seen[ROWS_OF_CLASS + uint(findMSB(length) + 1)], 1u);
    if (length > LONG_ROW) {
        atomicAdd(seen[ROWS_LONG], 1u);
        atomicAdd(seen[ROWS_LONG_ENTRIES], length);
        uint pieces = groups_of(length, LONG_PIECE);
        atomicAdd(seen[ROWS_PIECES], pieces);
        if (pieces > 1u)
            atomicAdd(seen[pieces > LONG_GROUP ? ROWS_MANY : ROWS_SEVERAL], 1u);
    } else {
        atomicMax(widths[ME / height], length);
    }
    add_row(m, length);
}

/* Slice s, number ME of the current slices. */
uvec3 take_slice(uint s)
{
    uint width = widths[ME];
    atomicAdd(seen[SLICES_FOURS], groups_of(width, 4u));
    atomicMax(seen[SLICES_LONGEST], width);
    if (is_there(uvec2(sizes)))
        sizes.at[s] = height * width;
    return uvec3(height * width, 0, 0);
}

void main()
{
    moments m = moments(0, 0, uvec3(0), uvec3(0));
    uvec3 padded = uvec3(0);
    uint across = 256u / height, tiles = groups_of(n, 256u);
    if (ME < LENGTH_WORDS)
        seen[ME] = 0;
    for (uint t = gl_WorkGroupID.x; t < tiles; t += gl_NumWorkGroups.x) {
        if (ME < 64u)
            widths[ME] = 0;
        barrier();
        if (256u * t + ME < n)
            take_row(m, 256u * t + ME);
        barrier();
        if (ME < across && 256u * t + height * ME < n)
            padded = added(padded, take_slice(across * t + ME));
    }
    barrier();
    atomicMax(seen[ROWS_LONGEST], m.longest);
    atomicMax(seen[ROWS_NOT_SHORTEST], m.not_shortest);
    add_here(ROWS_SQUARES, m.squares, 2u);
    add_here(ROWS_CUBES, m.cubes, 3u);
    add_here(SLICES_PADDED, padded, 2u);
    barrier();
    if (ME < ROWS_LONGEST && seen[ME] != 0u)
        atomicAdd(words.at[ME], seen[ME]);
    else if (ME >= ROWS_LONGEST && ME < ROWS_SQUARES)
        atomicMax(words.at[ME], seen[ME]);
    if (ME != 0)
        return;
    add_there(ROWS_SQUARES, 2u);
    add_there(ROWS_CUBES, 3u);
    add_there(SLICES_PADDED, 2u);
}
