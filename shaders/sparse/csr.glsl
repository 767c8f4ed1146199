/* The products of a tile of 256 rows of A in CSR with x, by one workgroup. A row is summed by `lanes` lanes (1, 2
 * ... 32, chosen from the matrix alone): lane l takes the terms l, l + lanes ..., then a halving tree over the lanes.
 *
 * Two ways to the same bits. Rows of many lanes are read straight from memory: their lanes are neighbours. For few
 * lanes that would stride, so the entries are read in storage order, their products kept in shared memory, and summed
 * from there. */
#define STAGE 1024u
#define DIRECT_LANES 8u

shared real row_sums[256];
shared real stage[STAGE];

struct csr {
    u32s row;
    u32s col;
    reals val;
    uint n;
};

real row_direct(csr A, reals x, uint i, uint lane, uint lanes)
{
    real sum = real(0);
    if (i < A.n) {
        uint end = A.row.at[i + 1];
        for (uint k = A.row.at[i] + lane; k < end; k += lanes)
            sum = sum + A.val.at[k] * x.at[A.col.at[k]];
    }
    return sum;
}

/* Four entries an invocation, all loads before the first use. */
void fill_stage(csr A, reals x, uint begin, uint end)
{
    uint col[4];
    real val[4];
    for (uint u = 0; u < 4; u++) {
        uint k = begin + 256u * u + ME;
        col[u] = k < end ? A.col.at[k] : 0u;
        val[u] = k < end ? A.val.at[k] : real(0);
    }
    for (uint u = 0; u < 4; u++) {
        uint k = begin + 256u * u + ME;
        if (k < end)
            stage[k - begin] = val[u] * x.at[col[u]];
    }
}

/* The whole workgroup takes part: it shares the rows `first` up to, not including, `last`. */
real row_staged(csr A, reals x, uint i, uint lane, uint lanes, uint first, uint last)
{
    uint begin = A.row.at[min(i, A.n)], end = A.row.at[min(i + 1, A.n)];
    uint stop = A.row.at[min(last, A.n)];
    real sum = real(0);
    for (uint c = A.row.at[min(first, A.n)]; c < stop; c += STAGE) {
        uint limit = min(stop, c + STAGE);
        barrier();
        fill_stage(A, x, c, limit);
        barrier();
        uint k = begin + lane;
        if (k < c)
            k += groups_of(c - k, lanes) * lanes;
        for (uint e = min(end, limit); k < e; k += lanes)
            sum = sum + stage[k - c];
    }
    return sum;
}

/* Row 256 tile + ME of A x, or 0 beyond the last row. Called by the whole workgroup. */
real tile_product(csr A, reals x, uint tile, uint lanes)
{
    uint rows = 256u / lanes, place = ME / lanes, lane = ME % lanes;
    real sum;
    for (uint pass = 0; pass < lanes; pass++) {
        uint first = 256u * tile + pass * rows;
        if (lanes < DIRECT_LANES)
            sum = row_staged(A, x, first + place, lane, lanes, first, first + rows);
        else
            sum = row_direct(A, x, first + place, lane, lanes);
        if (lanes == 1)
            return sum;
        sum = lanes_sum(sum, lanes);
        if (lane == 0)
            row_sums[pass * rows + place] = sum;
    }
    barrier();
    sum = row_sums[ME];
    barrier();
    return sum;
}
