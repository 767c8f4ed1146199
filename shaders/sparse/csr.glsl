/* A row of A in CSR, except a long one, times x, by `lanes` lanes (1, 2 ... 32, a function of the matrix alone): lane
 * l takes the terms l, l + lanes ..., then a halving tree over the lanes. Summed as sum_t, in doubles with WIDE_SUMS.
 *
 * The loads of four terms are issued before the first is used: on an H200 that is within about 10 % of SELL
 * (docs/measurements/products.md), and staging through shared memory is slower. */
#include "algebra.glsl"
#include "sparse/long.h"

ADDRESS(4) readonly restrict buffer offsets_in { uint at[]; };
#ifndef X_IN
#define X_IN readonly restrict /* for an x that is not written in the same dispatch */
#endif
ADDRESS(SCALAR_BYTES) X_IN buffer scalars_in { scalar_t at[]; };
ADDRESS(STORED_BYTES) readonly restrict buffer values_in { stored at[]; };

struct csr {
    offsets_in row, col;
    values_in val;
    uint n;
};

/* The offsets of row i, an empty range beyond the last row. */
uvec2 row_range(csr A, uint i)
{
    return uvec2(A.row.at[min(i, A.n)], A.row.at[min(i + 1, A.n)]);
}

/* Whether a row with this range is long: other kernels sum those (sparse/long.glsl). */
bool is_long(uvec2 range)
{
    return range.y - range.x > LONG_ROW;
}

/* The range of the row, an empty one if it is long. */
uvec2 range_if_short(uvec2 range)
{
    return is_long(range) ? uvec2(0) : range;
}

/* The terms of one lane of the row with this range. */
sum_t row_terms(csr A, scalars_in x, uvec2 range, uint lane, uint lanes)
{
    sum_t sum = sum_t(0);
    uint k = range.x + lane, end = range.y;
    for (; k + 3 * lanes < end; k += 4 * lanes) {
        uint k1 = k + lanes, k2 = k1 + lanes, k3 = k2 + lanes;
        uint c0 = A.col.at[k], c1 = A.col.at[k1], c2 = A.col.at[k2], c3 = A.col.at[k3];
        scalar_t v0 = A.val.at[k], v1 = A.val.at[k1], v2 = A.val.at[k2], v3 = A.val.at[k3];
        scalar_t x0 = x.at[c0], x1 = x.at[c1], x2 = x.at[c2], x3 = x.at[c3];
        sum = sum + mul(sum_t(v0), sum_t(x0));
        sum = sum + mul(sum_t(v1), sum_t(x1));
        sum = sum + mul(sum_t(v2), sum_t(x2));
        sum = sum + mul(sum_t(v3), sum_t(x3));
    }
    if (k < end) { /* one to three are left */
        uint k1 = k + lanes, k2 = k1 + lanes;
        bool is1 = k1 < end, is2 = k2 < end;
        uint c0 = A.col.at[k], c1 = is1 ? A.col.at[k1] : c0, c2 = is2 ? A.col.at[k2] : c0;
        scalar_t v0 = A.val.at[k], v1 = is1 ? A.val.at[k1] : v0, v2 = is2 ? A.val.at[k2] : v0;
        scalar_t x0 = x.at[c0], x1 = x.at[c1], x2 = x.at[c2];
        sum = sum + mul(sum_t(v0), sum_t(x0));
        if (is1)
            sum = sum + mul(sum_t(v1), sum_t(x1));
        if (is2)
            sum = sum + mul(sum_t(v2), sum_t(x2));
    }
    return sum;
}
