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
    uint    above128;
    uint    above64;
    uint    above32;
    uint    slices;
    uint    pieces;
};

/* The entries at, at + 32 ... before `stop`, eight of them: products of a thread, +0 where there is no entry, which leaves
 * a sum that began at +0 as it is. */
real[8] eight_products(uint at, uint stop)
{
    offsets_in cols = offsets_in(col);
    reals_in vals = reals_in(val), from = reals_in(x);
    uint k[8];
    real v[8], w[8];
    for (uint u = 0; u < 8; u++)
        k[u] = at + 32u * u < stop ? cols.at[at + 32u * u] : BALANCED_NOTHING;
    for (uint u = 0; u < 8; u++)
        v[u] = k[u] != BALANCED_NOTHING ? vals.at[at + 32u * u] : real(0);
    for (uint u = 0; u < 8; u++)
        w[u] = k[u] != BALANCED_NOTHING ? from.at[k[u]] : real(0);
    for (uint u = 0; u < 8; u++)
        v[u] = v[u] * w[u];
    return v;
}

/* The terms that this thread's lane has in the slice from `at` on, whose rows have `team` threads. Where lanes have several
 * threads each, products are passed on; where they cannot be, each thread computes those of its lane. */
real lane_terms(uint at, uint stop, uint team)
{
    uint mine = LANE % team, lane = LANE - mine + mine % lanes;
    real total = real(0);
    for (; at < stop; at += 256u) {
#if SUBGROUP
        real p[8] = eight_products(at + LANE, stop);
        for (uint u = 0; u < 8; u++) {
            if (team == lanes)
                total = total + p[u];
            for (uint other = 0; team > lanes && other < team; other += lanes)
                total = total + subgroupShuffle(p[u], lane + other);
        }
#else
        for (uint u = 0; u < 8; u++)
            for (uint other = 0; other < team; other += lanes)
                total = total + eight_products(at + 32u * u + lane + other, min(stop, at + 32u * u + 32u))[0];
#endif
    }
    return total;
}

/* The rows of slice s. Called by the whole workgroup. */
void sum_slice(uint s)
{
    balanced_slice b = balanced_slice_at(s, uvec3(above128, above64, above32), n, lanes);
    uint t = b.first + LANE / b.team, i = t < b.end ? order.at[t] : n;
    real total = lanes_sum(lane_terms(slice.at[s], slice.at[s + 1u], b.team), lanes);
    if (i < n && LANE % b.team == 0 && !is_long(bits, i))
        y.at[i] = total;
}

void main()
{
    csr A = csr(offsets_in(list), offsets_in(long_col), reals_in(long_val), 0);
    if (uvec2(c) != uvec2(0) && !alive(c))
        return;
    uint before = slices / 8u, groups = before + groups_of(pieces, 8u);
    for (uint g = gl_WorkGroupID.x; g < groups; g += gl_NumWorkGroups.x) {
        uint p = 8u * (g - before) + SQUAD;
        if (g < before)
            sum_slice(8u * g + SQUAD);
        else
            sum_piece(A, reals_in(x), p, piece_at(list, p, pieces), u32s(uvec2(0)), sums(y), sum);
    }
}
