#version 460
#define WIDTH 32
#define LEAST 16u
#include "kernel.glsl"
#include "block/invert.glsl"

/* to = the inverses of the blocks in `from` of 17 to 32 rows, row after row; others are left alone. Of a
 * block that has no inverse zeros are left, and fault becomes 32 times the first of these plus its row in
 * which there was no pivot; the caller sets it to 0xFFFFFFFF. `to` may be `from`. Traffic: the blocks
 * twice. */
ARGS {
    u32s  rows; /* count + 1 offsets, whose differences are sizes; where `size` is 0 */
    u32s  at;   /* where each block begins in from and to; likewise */
    reals from;
    reals to;
    u32s  fault;
    uint  count;
    uint  size; /* of all blocks; 0: see rows */
};

void main()
{
    invert(rows, at, from, to, fault, count, size);
}
