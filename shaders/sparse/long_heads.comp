#include "kernel.glsl"
#include "sparse/long.glsl"

/* flag[p] = 1 if piece p is the first of a row of `least` to `most` pieces, else 0. Traffic: 16 bytes for each piece
 * read, 4 written. */
ARGS {
    u32s list;
    u32s flag;
    uint pieces;
    uint least;
    uint most;
};

void main()
{
    FOR_EACH(p, pieces) {
        long_piece q = piece_at(list, p, pieces);
        bool first = p == 0 || piece_at(list, p - 1u, pieces).row != q.row;
        flag.at[p] = uint(first && q.of >= least && q.of <= most);
    }
}
