#version 460
#include "kernel.glsl"
#include "sum.glsl"
#include "sparse/balanced.glsl"
#include "sparse/spmv_long.glsl"
#include "solver/control.glsl"

/* y = A x, A in balanced CSR and its long rows in CSR; within a solve (c is not null) only while it is alive. First the
 * slices, the widest first, then the pieces of long rows, of which those of several leave their sums: what takes long is
 * begun early. Traffic: the padded matrix, x and y once, the order, the offsets of slices, 16 bytes for each piece. */
ARGS {
    control c;
    u32s    slice; /* slices + 1 offsets into col and val */
    u32s    col;
    reals   val;
    u32s    order; /* of the rows */
    reals   x;
    reals   y;
    u32s    bits;     /* which rows are long; null: none */
    u32s    list;     /* the pieces of long rows */
    u32s    long_col; /* their entries in CSR */
    reals   long_val;
    sums    sum; /* one for each piece */
    uint    n;     /* rows */
    uint    lanes; /* of a row's sum */
    uint    slices;
    uint    pieces;
};

/* The terms of this thread, of which the first is at `at`, before `stop`; eight are under way. */
real thread_terms(uint at, uint stop)
{
    offsets_in cols = offsets_in(col);
    reals_in vals = reals_in(val), from = reals_in(x);
    real total = real(0);
    for (; at < stop; at += 256u) {
        uint k[8];
        real v[8], w[8];
        for (uint u = 0; u < 8; u++)
            k[u] = at + 32u * u < stop ? cols.at[at + 32u * u] : NOTHING;
        for (uint u = 0; u < 8; u++)
            v[u] = k[u] != NOTHING ? vals.at[at + 32u * u] : real(0);
        for (uint u = 0; u < 8; u++)
            w[u] = k[u] != NOTHING ? from.at[k[u]] : real(0);
        for (uint u = 0; u < 8; u++)
            total = total + v[u] * w[u]; /* +0 where there is no entry: a sum that began at +0 stays as it is */
    }
    return total;
}

/* The rows of slice s, of which there are none beyond the last. Called by the whole workgroup. */
void sum_slice(uint s)
{
    uint t = position(s, LANE, lanes), i = s < slices && t < n ? order.at[t] : n;
    uint at = s < slices ? slice.at[s] : 0, stop = s < slices ? slice.at[s + 1u] : 0;
    real total = lanes_sum(thread_terms(at + LANE, stop), lanes);
    if (i < n && LANE % lanes == 0 && !is_long(bits, i))
        y.at[i] = total;
}

void main()
{
    csr A = csr(offsets_in(list), offsets_in(long_col), reals_in(long_val), 0);
    if (uvec2(c) != uvec2(0) && !alive(c))
        return;
    uint before = groups_of(slices, 8u), groups = before + groups_of(pieces, 8u);
    for (uint g = gl_WorkGroupID.x; g < groups; g += gl_NumWorkGroups.x) {
        uint p = 8u * (g - before) + SQUAD;
        if (g < before)
            sum_slice(8u * g + SQUAD);
        else
            sum_piece(A, reals_in(x), p, piece_at(list, p, pieces), u32s(uvec2(0)), sums(y), sum);
    }
}
