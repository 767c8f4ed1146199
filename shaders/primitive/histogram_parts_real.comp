#include "kernel.glsl"

/* First step of a histogram with float weights, whose sums must not depend on timing: splits the array in pieces of
 * `span` tiles of 256, and computes for each piece the sum of every bin, in the order of the elements: within a tile
 * from zero, then tile by tile. An invocation has one bin, and visits all elements of its piece. Values outside the
 * bins go to bin `count`. */
ARGS {
    u32s  from;
    reals weights;
    reals sums; /* count + 1 for each piece */
    uint  n;
    uint  count;
    uint  span;
    uint  pieces;
};

shared uint tile_values[256];
shared real tile_weights[256];

real piece_sum(uint piece, uint bin)
{
    real sum = real(0);
    for (uint tile = piece * span; tile < (piece + 1u) * span && tile < groups_of(n, 256u); tile++) {
        uint i = 256u * tile + ME;
        barrier();
        tile_values[ME] = i < n ? min(from.at[i], count) : 0xFFFFFFFFu;
        tile_weights[ME] = i < n ? weights.at[i] : real(0);
        barrier();
        real own = real(0);
        for (uint k = 0; k < 256; k++)
            if (tile_values[k] == bin)
                own = own + tile_weights[k];
        sum = sum + own;
    }
    return sum;
}

void main()
{
    uint blocks = groups_of(count + 1u, 256u);
    for (uint job = gl_WorkGroupID.x; job < blocks * pieces; job += gl_NumWorkGroups.x) {
        uint piece = job % pieces, bin = 256u * (job / pieces) + ME;
        real sum = piece_sum(piece, bin);
        if (bin <= count)
            sums.at[piece * (count + 1u) + bin] = sum;
    }
}
