#define WIDTH 8
#define LEAST 4u
#include "kernel.glsl"
#include "block/invert.glsl"

/* to = the inverses of the blocks in `from` of 5 to 8 rows, row by row; other blocks are skipped. A block without an
 * inverse gives zeros, and fault becomes 32 times the first such block plus its row that lacked a pivot; the caller
 * initialises it to 0xFFFFFFFF. `to` may be `from`. Traffic: the blocks twice. */
ARGS {
    u32s    rows; /* count + 1 offsets, whose differences are sizes; if `size` is 0 */
    u32s    at;   /* start of each block in from and to; if `size` is 0 */
    scalars from;
    scalars to;
    u32s    fault;
    uint    count;
    uint    size; /* common size of the blocks; 0: sizes vary, see rows */
};

void main()
{
    invert(rows, at, from, to, fault, count, size);
}
