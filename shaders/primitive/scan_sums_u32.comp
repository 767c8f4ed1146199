#include "kernel.glsl"

/* First of three steps of prefix sums: the sum of each tile and, with segments, whether one begins in it. */
#define item uint
#define quad uvec4
FORWARD buffer parts;
ARGS {
    parts x;
    u32s  bits; /* heads, one bit for each element */
    parts sums;
    u32s  heads; /* one word per tile */
    uint  n;
    uint  segmented;
};

#include "primitive/scan.glsl"

void main()
{
    FOR_EACH_TILE(tile, n) {
        quad v[4] = load_tile(x, tile, n);
        part before[4], all = tile_scan(v, load_heads(bits, tile, n), before);
        if (ME == 0) {
            sums.at[tile] = all.sum;
            if (segmented != 0)
                heads.at[tile] = all.head;
        }
    }
}
