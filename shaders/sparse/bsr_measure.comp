#version 460
#include "kernel.glsl"
#include "sparse/bsr_merge.glsl"

/* What blocks of a size would be: how many in the block rows that are looked at, every `step`-th, and whether there are
 * partial ones. Where `slice` is not null (step is 1 then), also what each slice of 32 block rows takes: 32 times its
 * most blocks, and 32 size times its longest row. An invocation merges a block row. Traffic: the columns and row
 * offsets of what is looked at, twice in the cache. */
ARGS {
    u32s row; /* n + 1 offsets into col */
    u32s col;
    u32s slice;  /* entries of slices, 0 before, or null */
    u32s block;  /* blocks of slices, 0 before */
    u32s totals; /* two words: blocks are added, 1 if some are partial */
    uint n;
    uint cols;
    uint size;
    uint looked; /* block rows */
    uint step;
};

shared uint blocks_here, partial_here;

void main()
{
    if (ME == 0)
        blocks_here = partial_here = 0;
    barrier();
    FOR_EACH(t, looked) {
        block_row m = block_row_at(row, n, size, t * step);
        uint blocks = 0u;
        bool partial = false;
        for (one_block b = next_block(m, col, cols, size); b.first != NONE; b = next_block(m, col, cols, size)) {
            blocks++;
            partial = partial || !b.full;
        }
        atomicAdd(blocks_here, blocks);
        atomicOr(partial_here, uint(partial));
        if (uvec2(slice) != uvec2(0)) {
            atomicMax(slice.at[t / 32u], 32u * size * m.longest);
            atomicMax(block.at[t / 32u], 32u * blocks);
        }
    }
    barrier();
    if (ME == 0) {
        atomicAdd(totals.at[0], blocks_here);
        atomicOr(totals.at[1], partial_here);
    }
}
