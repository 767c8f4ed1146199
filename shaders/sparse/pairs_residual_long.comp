#define PAIR_SUMS
#include "kernel.glsl"
#include "sum.glsl"
#include "sparse/long.glsl"
#include "sparse/pairs_row.glsl"

/* r = A x in pairs of floats (pairs.glsl) for the long rows of A. A workgroup takes a whole row: its lane groups take
 * pieces, then it sums their sums like the elements of a vector. Traffic: their entries and elements of x once. */
ARGS {
    u32s      list;
    u32s      col;
    pairs     val;
    pairs     x;
    pairs     r;
    pair_sums sum; /* one for each piece */
    uint      pieces;
};

void written()
{
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease);
}

/* Sums each piece of the row whose first piece is p, and stores it at the piece's index. */
void sum_pieces(uint p, uint count)
{
    for (uint first = 0; first < count; first += 8u) {
        uint k = first + SQUAD;
        long_piece q = piece_at(list, k < count ? p + k : pieces, pieces);
        vec2 s = squad_sum(pair_terms(col, val, x, uvec2(q.begin, q.end), LANE, 32u));
        if (LANE == 0 && k < count)
            sum.at[p + k] = s;
    }
}

void main()
{
    for (uint p = gl_WorkGroupID.x; p < pieces; p += gl_NumWorkGroups.x) {
        long_piece q = piece_at(list, p, pieces);
        if (p > 0 && piece_at(list, p - 1u, pieces).row == q.row)
            continue; /* the workgroup with the row's first piece takes them all */
        sum_pieces(p, q.of);
        for (uint count = q.of; count > 1; count = groups_of(count, 256u))
            for (uint group = 0; group < groups_of(count, 256u); group++) {
                written();
                vec2 total = group_sum(sum, p, group, count);
                written(); /* all have read what total overwrites */
                if (ME == 0)
                    sum.at[p + group] = total;
            }
        if (ME == 0)
            r.at[q.row] = sum.at[p];
    }
}
