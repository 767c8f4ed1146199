/* A row of A in CSR times x, by `lanes` lanes (1, 2 ... 32, chosen from the matrix alone): lane l takes the terms
 * l, l + lanes ..., then a halving tree over the lanes.
 *
 * The loads of four terms are under way before the first is used; on an H200 this is within 10 % of SELL where rows are
 * short, and equal where they are long (docs/performance.md). */
ADDRESS(4) readonly restrict buffer offsets_in { uint at[]; };
ADDRESS(REAL_BYTES) readonly restrict buffer reals_in { real at[]; };

struct csr {
    offsets_in row, col;
    reals_in val;
    uint n;
};

/* The terms of one lane; 0 beyond the last row. */
real row_terms(csr A, reals_in x, uint i, uint lane, uint lanes)
{
    real sum = real(0);
    if (i >= A.n)
        return sum;
    uint end = A.row.at[i + 1];
    for (uint k = A.row.at[i] + lane; k < end; k += 4 * lanes) {
        uint k1 = k + lanes, k2 = k1 + lanes, k3 = k2 + lanes;
        bool is1 = k1 < end, is2 = k2 < end, is3 = k3 < end;
        uint c0 = A.col.at[k], c1 = is1 ? A.col.at[k1] : c0, c2 = is2 ? A.col.at[k2] : c0, c3 = is3 ? A.col.at[k3] : c0;
        real v0 = A.val.at[k], v1 = is1 ? A.val.at[k1] : v0, v2 = is2 ? A.val.at[k2] : v0, v3 = is3 ? A.val.at[k3] : v0;
        real x0 = x.at[c0], x1 = x.at[c1], x2 = x.at[c2], x3 = x.at[c3];
        sum = sum + v0 * x0;
        sum = is1 ? sum + v1 * x1 : sum;
        sum = is2 ? sum + v2 * x2 : sum;
        sum = is3 ? sum + v3 * x3 : sum;
    }
    return sum;
}
