/* The sums of the pieces of long rows. A lane group takes a piece, lane l the terms l, l + 32 ...; then a halving tree
 * over the lanes. A row of one piece is then complete. */
#include "sparse/csr.glsl"
#include "sparse/long.glsl"

/* Range of the entries of piece p: in CSR, or in separate arrays, in which pieces begin at `start`. */
uvec2 piece_range(long_piece q, u32s start, uint p)
{
    if (!is_there(uvec2(start)) || q.begin == q.end)
        return uvec2(q.begin, q.end);
    uint begin = start.at[p];
    return uvec2(begin, begin + q.end - q.begin);
}

/* Writes sums of rows of one piece to y, those of other pieces to `sum`. q is this lane group's first piece, already
 * being loaded. Called by the whole workgroup. */
void sum_pieces(csr A, scalars_in x, u32s list, u32s start, long_piece q, sums_t y, sums_t sum, uint pieces)
{
    uint p = gl_WorkGroupID.x * 8u + SQUAD;
    for (uint first = gl_WorkGroupID.x * 8u; first < pieces; first += gl_NumWorkGroups.x * 8u) {
        sum_t s = squad_sum(row_terms(A, x, piece_range(q, start, p), LANE, 32u));
        if (LANE == 0 && q.of == 1)
            y.at[q.row] = s;
        else if (LANE == 0 && q.of > 1)
            sum.at[p] = s;
        p += gl_NumWorkGroups.x * 8u;
        q = piece_at(list, p, pieces);
    }
}
