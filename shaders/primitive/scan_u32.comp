#include "kernel.glsl"

/* Third step: prefix sums of each tile, added to the sum before it. x and y may be the same. */
#define item uint
#define quad uvec4
FORWARD buffer parts;
ARGS {
    parts x;
    parts y;
    u32s  bits;
    parts sums; /* before each tile */
    uint  n;
    uint  segmented;
    uint  exclusive;
};

#include "primitive/scan.glsl"

void main()
{
    FOR_EACH_TILE(tile, n) {
        quad v[4] = load_tile(x, tile, n);
        item offset = sums.at[tile];
        uint heads[4] = load_heads(bits, tile, n);
        part before[4];
        tile_scan(v, heads, before);
        store_tile(y, tile, n, tile_result(v, heads, before, offset, exclusive));
    }
}
