/* A row of A in CSR times x, by `lanes` lanes (1, 2 ... 32, chosen from the matrix alone): lane l takes the terms
 * l, l + lanes ..., then a halving tree over the lanes. Summed as sum_t, in doubles where WIDE_SUMS says so.
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
sum_t row_terms(csr A, reals_in x, uint i, uint lane, uint lanes)
{
    sum_t sum = sum_t(0);
    if (i >= A.n)
        return sum;
    uint k = A.row.at[i] + lane, end = A.row.at[i + 1];
    for (; k + 3 * lanes < end; k += 4 * lanes) {
        uint k1 = k + lanes, k2 = k1 + lanes, k3 = k2 + lanes;
        uint c0 = A.col.at[k], c1 = A.col.at[k1], c2 = A.col.at[k2], c3 = A.col.at[k3];
        real v0 = A.val.at[k], v1 = A.val.at[k1], v2 = A.val.at[k2], v3 = A.val.at[k3];
        real x0 = x.at[c0], x1 = x.at[c1], x2 = x.at[c2], x3 = x.at[c3];
        sum = sum + sum_t(v0) * sum_t(x0);
        sum = sum + sum_t(v1) * sum_t(x1);
        sum = sum + sum_t(v2) * sum_t(x2);
        sum = sum + sum_t(v3) * sum_t(x3);
    }
    for (; k < end; k += lanes)
        sum = sum + sum_t(A.val.at[k]) * sum_t(x.at[A.col.at[k]]);
    return sum;
}
