#version 460
#include "kernel.glsl"
#include "sum.glsl"
#include "sparse/balanced.h"
#include "sparse/spmv_long.glsl"
#include "solver/control.glsl"

/* y = A x, A in CSR, for rows of very different lengths; within a solve (c is not null) only while it is alive. First the
 * pieces of long rows; of rows of several pieces their sums are left. Then the other rows, the longest first: neighbours
 * have rows of like length, and the more entries a row has the more threads, which pass its products to the lanes that
 * sum them. Traffic: the matrix, x and y once, 12 bytes for each row in place of the offsets, 16 for each piece. */
ARGS {
    control c;
    u32s    col;
    reals   val;
    reals   x;
    reals   y;
    u32s    order; /* of the rows */
    u32s    range; /* of the entries of each, as balanced_ranges.comp says */
    u32s    list;  /* the pieces of long rows */
    sums    sum;   /* one for each piece */
    uint    n;     /* rows */
    uint    lanes; /* of a row's sum */
    uint    above32; /* rows of more entries */
    uint    above16;
    uint    above8;
    uint    pieces;
};

ADDRESS(8) readonly restrict buffer ranges_in { uvec2 at[]; };

#if !SUBGROUP
shared real passed[256];
#endif

/* The value of another lane of the squad. Called by the whole workgroup at once. */
real squad_from(real v, uint lane)
{
#if SUBGROUP
    return subgroupShuffle(v, lane);
#else
    barrier();
    passed[ME] = v;
    barrier();
    return passed[32u * SQUAD + lane];
#endif
}

/* Terms k, k + team, k + 2 team, k + 3 team of a row that ends at `stop`, zero where there is none: a sum that began at
 * +0 stays as it is then. */
void four_products(csr A, reals_in x, uint k, uint stop, uint team, out real p[4])
{
    uint col[4];
    real val[4];
    for (uint u = 0; u < 4; u++) {
        uint e = k + u * team < stop ? k + u * team : k;
        col[u] = k < stop ? A.col.at[e] : 0;
        val[u] = k < stop ? A.val.at[e] : real(0);
    }
    for (uint u = 0; u < 4; u++)
        p[u] = k + u * team < stop ? val[u] * x.at[col[u]] : real(0);
}

/* The rows at positions first .. end - 1 of the order, as far as the workgroup's threads reach, `team` of them to each,
 * which are `lanes` at least. Called by the whole workgroup. */
void rows_by_teams(csr A, reals_in x, uint first, uint end, uint team)
{
    uint at = first + ME / team, place = ME % team, lane = LANE - place + LANE % lanes;
    ranges_in ranges = ranges_in(range);
    uvec2 all = ranges.at[first], q = at < end ? ranges.at[at] : uvec2(BALANCED_LONG_BEGIN, BALANCED_LONG_END);
    uint longest = all.x < all.y ? all.y - all.x : 0;
    real total = real(0);
    for (uint done = 0; done < longest; done += 4u * team) {
        real p[4];
        four_products(A, x, q.x + done + place, q.y, team, p);
        for (uint u = 0; u < 4; u++)
            for (uint from = 0; from < team; from += lanes)
                total = total + squad_from(p[u], lane + from);
    }
    total = lanes_sum(total, lanes);
    if (place == 0 && q.x <= q.y)
        y.at[order.at[at]] = total;
}

/* Rows for a workgroup: positions first .. end - 1, as far as teams of so many threads reach. */
struct share {
    uint first, end, team;
};

/* Share g, an empty one beyond the last. */
share share_at(uint g)
{
    uint ends[BALANCED_CLASSES + 1u] = uint[](above32, above16, above8, n), begin = 0;
    for (uint k = 0; k <= BALANCED_CLASSES; k++) {
        uint team = max(BALANCED_TEAM(k), lanes), groups = groups_of(ends[k] - begin, 256u / team);
        if (g < groups)
            return share(begin + g * (256u / team), ends[k], team);
        g -= groups;
        begin = ends[k];
    }
    return share(n, n, 1);
}

void main()
{
    csr A = csr(offsets_in(col), offsets_in(col), reals_in(val), 0);
    if (uvec2(c) != uvec2(0) && !alive(c))
        return;
    uint before = groups_of(pieces, 8u);
    for (uint g = gl_WorkGroupID.x;; g += gl_NumWorkGroups.x) {
        if (g < before) {
            uint p = 8u * g + SQUAD;
            sum_piece(A, reals_in(x), p, piece_at(list, p, pieces), u32s(uvec2(0)), sums(y), sum);
            continue;
        }
        share s = share_at(g - before);
        if (s.first >= n)
            return;
        rows_by_teams(A, reals_in(x), s.first, s.end, s.team);
    }
}
