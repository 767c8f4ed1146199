/* Long rows: a list of their pieces, from row to row. */
#include "sparse/long.h"

#ifdef VULKAN
ADDRESS(16) readonly restrict buffer long_pieces { uvec4 at[]; };

/* Entries begin .. end - 1 of CSR, in row `row`, which has `of` pieces. */
struct long_piece {
    uint begin, end, row, of;
};

/* Piece p of `pieces`; an empty one beyond the last. */
long_piece piece_at(u32s list, uint p, uint pieces)
{
    uvec4 v = long_pieces(list).at[min(p, pieces - 1u)];
    return p < pieces ? long_piece(v.x, v.y, v.z, v.w) : long_piece(0, 0, 0, 0);
}
#endif

/* Whether row i is long, by the bits of all rows, which exist if any row is long. */
INLINE bool is_long(u32s bits, uint i)
{
    return (bits.at[i / 32u] >> (i & 31u) & 1u) != 0;
}
