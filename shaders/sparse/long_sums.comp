#include "kernel.glsl"
#include "sum.glsl"
#include "sparse/long.glsl"

/* y for rows of 2 to 256 pieces, from the sums of the pieces. A lane group takes a row. Traffic: the sums read, 20
 * bytes for each row. */
ARGS {
    guard   g;
    u32s    list;
    u32s    head; /* the first piece of each such row */
    sums    sum;
    scalars y;
    uint    pieces;
    uint    heads;
};

void main()
{
    if (stopped(g))
        return;
    for (uint first = gl_WorkGroupID.x * 8u; first < heads; first += gl_NumWorkGroups.x * 8u) {
        uint h = first + SQUAD, p = h < heads ? head.at[h] : pieces;
        long_piece q = piece_at(list, p, pieces);
        scalar_t s = group_sum(sum, p, 0, q.of);
        if (LANE == 0 && h < heads)
            y.at[q.row] = s;
    }
}
