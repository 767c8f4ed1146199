#include "kernel.glsl"
#include "sparse/bsr_merge.glsl"

/* Counts the blocks of a size, whether some are partial, and the sizes of slices: 32 times the longest of 32 rows, and
 * 32 times the most blocks of 32 block rows. An invocation merges a block row. Traffic: the columns and row offsets,
 * twice from the cache. */
ARGS {
    u32s row; /* n + 1 offsets into col */
    u32s col;
    u32s slice;  /* entries of slices, initially 0 */
    u32s block;  /* blocks of slices, initially 0 */
    u32s totals; /* two words: the number of blocks; 1 if some are partial */
    uint n;
    uint cols;
    uint size;
};

shared uint blocks_here, partial_here;

void main()
{
    if (ME == 0)
        blocks_here = partial_here = 0;
    barrier();
    FOR_EACH(t, groups_of(n, size)) {
        block_row m = block_row_at(row, n, size, t);
        uint blocks = 0u;
        bool partial = false;
        [[unroll]] for (uint r = 0; r < 8u; r++)
            if ((m.rows >> r & 1u) != 0u)
                atomicMax(slice.at[(t * size + r) / 32u], 32u * (m.end[r] - m.at[r]));
        for (;;) {
            one_block b = next_block(m, col, cols, size); /* a single call, since compilers inline each one */
            if (b.first == NONE)
                break;
            blocks++;
            partial = partial || !b.full;
        }
        atomicAdd(blocks_here, blocks);
        atomicOr(partial_here, uint(partial));
        atomicMax(block.at[t / 32u], 32u * blocks);
    }
    barrier();
    if (ME == 0) {
        atomicAdd(totals.at[0], blocks_here);
        atomicOr(totals.at[1], partial_here);
    }
}
