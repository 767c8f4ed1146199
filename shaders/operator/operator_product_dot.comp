#include "kernel.glsl"
#include "sum.glsl"
#include "sparse/leave_tile.glsl"

#define WITH_DOT
#include "operator/operator.glsl"

/* y = A x and the tile sums of x . y, A an operator. Traffic: x and y once, and the other data of the operator. */
void main()
{
    if (stopped(g))
        return;
    uint tiles = tiles_of(n);
    for (uint tile = gl_WorkGroupID.x; tile < tiles; tile += gl_NumWorkGroups.x) {
        uint i = 256u * tile + ME;
        real term = real(0);
        if (i < n) {
            real sum = row(i);
            y.at[i] = sum;
            term = x.at[i] * sum;
        }
        leave_tile(s, tile, term);
    }
}

#include "operator/row.glsl"
