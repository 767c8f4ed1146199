#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "sparse/blocks.h"

/* y = A x, where A has n rows of blocks of high x wide, each by rows.
 *
 * The blocks of a row of blocks are adjacent, so that a row of A has `wide` terms for each, numbered from 0 in
 * ascending order of columns. Lane l of `lanes` sums, from +0, the terms l, l + lanes ..., in order, and a halving
 * tree sums the lanes. Rows of more than 256 terms per lane have 256 lanes, those of a workgroup. That is the order of
 * CSR with all entries of all blocks, except for rows of more than 256 terms. A lane takes its terms in all rows of a
 * block together. Traffic: A, x and y once. */
ARGS {
    guard   g;
    u32s    row; /* n + 1 offsets into col */
    u32s    col;
    scalars val;
    scalars x;
    scalars y;
    uint    n;
};
CONSTANT(1, high);
CONSTANT(2, wide);
CONSTANT(3, lanes); /* 1, 2 ... 32 */

scalar_t sums_of[BLOCKS_SIDE]; /* of the rows of the blocks */
shared uint long_row[256], long_rows;
shared scalar_t lane_sum[256];

/* The terms of lane `lane` of `of` in the blocks begin .. end - 1. */
void add_terms(uint begin, uint end, uint lane, uint of)
{
    uint terms = (end - begin) * wide;
    [[unroll]] for (uint r = 0; r < BLOCKS_SIDE; r++)
        sums_of[r] = scalar_t(0);
    for (uint t = lane; t < terms; t += of) {
        uint q = begin + t / wide, c = t % wide;
        scalar_t v = x.at[col.at[q] * wide + c];
        [[unroll]] for (uint r = 0; r < BLOCKS_SIDE; r++)
            if (r < high)
                sums_of[r] = sums_of[r] + mul(val.at[(q * high + r) * wide + c], v);
    }
}

bool is_long(uvec2 range)
{
    return (range.y - range.x) * wide > BLOCKS_LANE_TERMS * lanes;
}

/* The whole workgroup sums row i. */
void sum_long_row(uint i)
{
    add_terms(row.at[i], row.at[i + 1u], ME, 256u);
    for (uint r = 0; r < high; r++) {
        barrier();
        [[unroll]] for (uint s = 0; s < BLOCKS_SIDE; s++)
            if (s == r)
                lane_sum[ME] = sums_of[s];
        for (uint apart = 128u; apart > 0; apart /= 2u) {
            barrier();
            if (ME < apart)
                lane_sum[ME] = lane_sum[ME] + lane_sum[ME + apart];
        }
        if (ME == 0)
            y.at[i * high + r] = lane_sum[0];
    }
}

void main()
{
    uint rows = 256u / lanes, lane = ME % lanes, i = gl_WorkGroupID.x * rows + ME / lanes;
    uvec2 range = uvec2(row.at[min(i, n)], row.at[min(i + 1u, n)]); /* loaded together with the guard */
    if (stopped(g))
        return;
    for (uint first = gl_WorkGroupID.x * rows; first < n; first += gl_NumWorkGroups.x * rows) {
        bool longer = is_long(range);
        if (ME == 0)
            long_rows = 0;
        barrier();
        if (longer && lane == 0)
            long_row[atomicAdd(long_rows, 1u)] = i;
        add_terms(range.x, longer ? range.x : range.y, lane, lanes);
        [[unroll]] for (uint r = 0; r < BLOCKS_SIDE; r++)
            if (r < high) {
                scalar_t sum = lanes_sum(sums_of[r], lanes);
                if (i < n && lane == 0 && !longer)
                    y.at[i * high + r] = sum;
            }
        barrier();
        for (uint k = 0; k < long_rows; k++)
            sum_long_row(long_row[k]);
        barrier();
        i += gl_NumWorkGroups.x * rows;
        range = uvec2(row.at[min(i, n)], row.at[min(i + 1u, n)]);
    }
}
