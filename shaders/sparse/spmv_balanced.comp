#version 460
#include "kernel.glsl"
#include "sum.glsl"
#include "sparse/balanced.h"
#include "sparse/csr.glsl"
#include "solver/control.glsl"

/* y = A x but for long rows, A in CSR, whose rows are cut into blocks of about as many entries; within a solve (c is not
 * null) only while it is alive. A workgroup takes a block: first all its terms, entry by entry, into shared memory, then
 * its rows from there in the order of CSR. So a few rows that are longer keep nobody waiting. Traffic: the matrix, x and
 * y once, the offsets twice.
 *
 * J. L. Greathouse, M. Daga, "Efficient sparse matrix-vector multiplication on GPUs using the CSR storage format",
 * SC14 (2014). */
ARGS {
    control c;
    u32s    row; /* n + 1 offsets into col and val */
    u32s    col;
    values  val;
    reals   x;
    reals   y;
    u32s    first; /* row of each block, one more than there are */
    uint    n;
    uint    lanes; /* of a row's sum */
    uint    blocks;
};

shared real product[BALANCED_MOST];

/* The terms of the entries begin .. end - 1, at most BALANCED_MOST, three of each invocation under way at a time. */
void multiply(csr A, reals_in x, uint begin, uint end)
{
    for (uint k = begin + ME; k < end; k += 768u) {
        bool is1 = k + 256u < end, is2 = k + 512u < end;
        uint k1 = is1 ? k + 256u : k, k2 = is2 ? k + 512u : k;
        uint c0 = A.col.at[k], c1 = A.col.at[k1], c2 = A.col.at[k2];
        real v0 = A.val.at[k], v1 = A.val.at[k1], v2 = A.val.at[k2];
        real x0 = x.at[c0], x1 = x.at[c1], x2 = x.at[c2];
        product[k - begin] = v0 * x0;
        if (is1)
            product[k + 256u - begin] = v1 * x1;
        if (is2)
            product[k + 512u - begin] = v2 * x2;
    }
}

/* Row i, whose range this is, by this lane of it. */
real row_of_products(uvec2 range, uint begin, uint lane)
{
    real sum = real(0);
    for (uint k = range.x + lane; k < range.y; k += lanes)
        sum = sum + product[k - begin];
    return sum;
}

/* The rows from `from` up to `end`; the first entry of the block is `begin`. Called by the whole workgroup. */
void sum_rows(csr A, uint from, uint end, uint begin)
{
    uint rows = 256u / lanes, place = ME / lanes, lane = ME % lanes;
    for (uint top = from; top < end; top += rows) {
        uint i = top + place;
        uvec2 range = row_range(A, min(i, end));
        bool mine = i < end && !is_long(range);
        real sum = lanes_sum(row_of_products(mine ? range : uvec2(0), begin, lane), lanes);
        if (mine && lane == 0)
            y.at[i] = sum;
    }
}

void main()
{
    csr A = csr(offsets_in(row), offsets_in(col), values_in(val), n);
    if (uvec2(c) != uvec2(0) && !alive(c))
        return;
    for (uint b = gl_WorkGroupID.x; b < blocks; b += gl_NumWorkGroups.x) {
        uint from = first.at[b], end = first.at[b + 1u];
        if (from == end) /* it lies in a long row */
            continue;
        uvec2 last = row_range(A, end - 1u);
        uint begin = A.row.at[from];
        multiply(A, reals_in(x), begin, is_long(last) ? last.x : last.y);
        barrier();
        sum_rows(A, from, end, begin);
        barrier();
    }
}
