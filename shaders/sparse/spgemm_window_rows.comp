#include "kernel.glsl"
#include "sparse/spgemm.h"
#define TEAM 256
#include "sparse/bounds.glsl"
#include "sparse/products.glsl"

/* The columns of the listed rows of C = A B, marked as bits, a workgroup for each row and window of 2^shift columns;
 * there are `windows` of them. Computes their number, into begin[s * windows + w] for row list[s] and window w; or
 * with `fill` 1, after `begin` has become their exclusive prefix sums, the columns, ascending, into c_col, in row i
 * from c_row[i] on. Traffic: row offsets, the columns of A and, for each entry of A, the columns of its row of B; C. */
ARGS {
    u32s list; /* rows */
    u32s a_row;
    u32s a_col;
    u32s b_row;
    u32s b_col;
    u32s begin; /* rows * windows + 1 words */
    u32s c_row;
    u32s c_col;
    u32s room; /* for the twin: of `rooms` threads */
    uint rooms;
    uint rows;
    uint windows;
    uint shift; /* at most SPGEMM_WINDOW_BITS, except in the twin */
    uint fill;
};

#define WORDS (1u << (SPGEMM_WINDOW_BITS - 5u))
#define MINE (WORDS / 256u) /* consecutive words of an invocation */
#define AT(word) ((word) + (word) / 32u) /* padded so that neighbours, MINE words apart, use different banks */

shared uint marks[WORDS + WORDS / 32u]; /* all zero between windows */

/* The entries of row k of B in window w: their start and number. */
uvec2 met(uint k, uint w)
{
    uint first = b_row.at[k], last = b_row.at[k + 1u];
    if (w > 0)
        first = lower_bound(b_col, first, last, w << shift);
    if (w + 1u < windows)
        last = lower_bound(b_col, first, last, (w + 1u) << shift);
    return uvec2(first, last - first);
}

/* Marks the columns of window w in the row whose entries in A are first .. last - 1; returns the number of products. */
uint mark(uint first, uint last, uint w)
{
    uint low = w << shift, all = 0;
    for (uint turn = 0; turn < last - first; turn += TEAM) {
        uint e = turn + ME;
        uvec2 part = e < last - first ? met(a_col.at[first + e], w) : uvec2(0);
        synchronise();
        uint products = list_products(part.x, part.y);
        for (uint p = ME; p < products; p += TEAM) {
            uint column = b_col.at[p + product_shift[place_of(p)]] - low;
            atomicOr(marks[AT(column / 32u)], 1u << (column & 31u));
        }
        all += products;
    }
    synchronise();
    return all;
}

/* Removes the marks of this invocation's words; returns the number of columns up to and including its last. */
uint take(out uint mine[MINE], out uint count)
{
    count = 0;
    [[unroll]] for (uint r = 0; r < MINE; r++) {
        uint at = AT(MINE * ME + r);
        mine[r] = marks[at];
        marks[at] = 0;
        count += bitCount(mine[r]);
    }
    return up_to(count);
}

void store(uint mine[MINE], uint at, uint low)
{
    [[unroll]] for (uint r = 0; r < MINE; r++)
        for (uint left = mine[r]; left != 0; left &= left - 1u)
            c_col.at[at++] = low + 32u * (MINE * ME + r) + uint(findLSB(left));
}

void work_on(uint s, uint w)
{
    uint i = list.at[s], item = s * windows + w, mine[MINE], count;
    if (mark(a_row.at[i], a_row.at[i + 1u], w) == 0) {
        if (fill == 0 && ME == 0)
            begin.at[item] = 0;
        return;
    }
    uint end = take(mine, count);
    if (fill != 0)
        store(mine, c_row.at[i] + (begin.at[item] - begin.at[s * windows]) + (end - count), w << shift);
    else if (ME == TEAM - 1u)
        begin.at[item] = end;
}

void main()
{
    for (uint m = ME; m < WORDS + WORDS / 32u; m += TEAM)
        marks[m] = 0;
    synchronise();
    for (uint item = gl_WorkGroupID.x; item < rows * windows; item += gl_NumWorkGroups.x) {
        if (fill == 0 || begin.at[item] != begin.at[item + 1u])
            work_on(item / windows, item % windows);
        synchronise();
    }
}
