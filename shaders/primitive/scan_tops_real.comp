#version 460
#include "kernel.glsl"

/* The second step: the sums of the tiles become the sums before the tiles. One workgroup takes them 4,096 at a time. */
#define item real
#if REAL == 64
#define quad dvec4
#else
#define quad vec4
#endif
ADDRESS(8) buffer parts;
ARGS {
    parts sums;
    u32s  heads;
    uint  n; /* tiles */
    uint  segmented;
};

#include "primitive/scan.glsl"

uint[4] tile_heads(uint tile)
{
    uint found[4] = uint[4](0, 0, 0, 0);
    for (uint row = 0; row < 4 && segmented != 0; row++)
        for (uint j = 0; j < 4; j++) {
            uint i = own_first(tile, row) + j;
            if (i < n)
                found[row] |= heads.at[i] << j;
        }
    return found;
}

void main()
{
    item offset = item(0);
    if (gl_WorkGroupID.x != 0)
        return;
    for (uint tile = 0; tile < scan_tiles(n); tile++) {
        quad v[4] = load_tile(sums, tile, n);
        uint starts[4] = tile_heads(tile);
        part before[4], all = tile_scan(v, starts, before);
        /* what stands before a tile reaches into it, whether or not a segment begins there */
        for (uint row = 0; row < 4; row++) {
            item last = follow(part(offset, 0), before[row]).sum;
            quad ends = run_result(v[row], starts[row], last, 0);
            v[row] = quad(last, ends.xyz);
        }
        store_tile(sums, tile, n, v);
        offset = follow(part(offset, 0), all).sum;
    }
}
