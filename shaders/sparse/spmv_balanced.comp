#include "kernel.glsl"
#include "algebra.glsl"
#include "sum.glsl"
#include "sparse/balanced.glsl"
#include "sparse/long.glsl"

/* y = A x, A in balanced CSR. First the pieces of long rows (rows of several pieces leave their sums), then the
 * slices, the widest first: slow work begins early. A thread loads four entries together; with eight too few threads
 * fit. Traffic: the padded matrix, x and y once, the order, the offsets of slices, 20 bytes for each piece. */
ARGS {
    guard   g;
    u32s    slice; /* slices + 1 offsets into col and val; the pieces follow the last */
    u32s    col;   /* columns from `cols` on are indices into hot_x */
    values  val;
    u32s    order; /* of the rows */
    scalars x;
    scalars hot_x;
    scalars y;
    u32s    bits;  /* which rows are long; null: none */
    u32s    list;  /* the pieces of long rows */
    u32s    start; /* their starts, after the slices */
    sums    sum;   /* one for each piece */
    uint    n;     /* rows */
    uint    cols;
    uint    lanes; /* per row */
    uint    above128;
    uint    above64;
    uint    above32;
    uint    slices;
    uint    pieces;
};
CONSTANT(1, longs); /* whether some rows are long */

ADDRESS(4) readonly restrict buffer words_in { uint at[]; };
ADDRESS(SCALAR_BYTES) readonly restrict buffer scalars_in { scalar_t at[]; };
ADDRESS(STORED_BYTES) readonly restrict buffer values_in { stored at[]; };

scalar_t x_of(uint k)
{
    return k < cols ? scalars_in(x).at[k] : scalars_in(hot_x).at[k - cols];
}

/* The entries at, at + 32 ... before `stop`, four of them: products of a thread, +0 for a missing entry, which does
 * not change a sum that started at +0. */
scalar_t[4] four_products(uint at, uint stop)
{
    uint k[4];
    scalar_t v[4], w[4];
    for (uint u = 0; u < 4; u++)
        k[u] = at + 32u * u < stop ? words_in(col).at[at + 32u * u] : BALANCED_NOTHING;
    for (uint u = 0; u < 4; u++)
        v[u] = k[u] != BALANCED_NOTHING ? scalar_t(values_in(val).at[at + 32u * u]) : scalar_t(0);
    for (uint u = 0; u < 4; u++)
        w[u] = k[u] != BALANCED_NOTHING ? x_of(k[u]) : scalar_t(0);
    for (uint u = 0; u < 4; u++)
        v[u] = mul(v[u], w[u]);
    return v;
}

/* The terms of this thread's lane in the slice starting at `at`, whose rows have `team` threads and `width` lanes. If
 * lanes have several threads each, products are exchanged; without exchanges, each thread computes all of its
 * lane's. */
scalar_t lane_terms(uint at, uint stop, uint team, uint width)
{
    uint mine = LANE % team, lane = LANE - mine + mine % width;
    scalar_t total = scalar_t(0);
    for (; at < stop; at += 128u) {
#if SUBGROUP
        scalar_t p[4] = four_products(at + LANE, stop);
        for (uint u = 0; u < 4; u++) {
            if (team == width)
                total = total + p[u];
            for (uint other = 0; team > width && other < team; other += width)
                total = total + squad_shuffle(p[u], lane + other);
        }
#else
        for (uint u = 0; u < 4; u++)
            for (uint other = 0; other < team; other += width)
                total = total + four_products(at + 32u * u + lane + other, min(stop, at + 32u * u + 32u))[0];
#endif
    }
    return total;
}

/* Work of a lane group: a slice, or a piece, which is the same with 32 lanes. */
struct work {
    uint at, stop, team, width;
};

/* Slice s, and this thread's row in it; n: none. */
work slice_work(uint s, out uint row)
{
    balanced_slice b = balanced_slice_at(s, uvec3(above128, above64, above32), n, lanes);
    uint t = b.first + LANE / b.team;
    row = t < b.end ? order.at[t] : n;
    return work(slice.at[s], slice.at[s + 1u], b.team, lanes);
}

work piece_work(uint p)
{
    uint first = slice.at[slices];
    return p < pieces ? work(first + start.at[p], first + start.at[p + 1u], 32u, 32u) : work(0, 0, 32u, 32u);
}

void main()
{
    if (stopped(g))
        return;
    uint before = groups_of(pieces, 8u), groups = before + slices / 8u;
    for (uint g = gl_WorkGroupID.x; g < groups; g += gl_NumWorkGroups.x) {
        uint row = n, p = 8u * g + SQUAD;
        work w = g < before ? piece_work(p) : slice_work(8u * (g - before) + SQUAD, row);
        scalar_t total = lanes_sum(lane_terms(w.at, w.stop, w.team, w.width), w.width);
        long_piece q = g < before ? piece_at(list, p, pieces) : long_piece(0, 0, 0, 0);
        if (row < n && LANE % w.team == 0 && !(longs != 0 && is_long(bits, row)))
            y.at[row] = total;
        if (LANE == 0 && q.of == 1)
            y.at[q.row] = total;
        else if (LANE == 0 && q.of > 1)
            sum.at[p] = total;
    }
}
