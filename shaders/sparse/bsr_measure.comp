#version 460
#include "kernel.glsl"
#include "sparse/bsr_merge.glsl"

/* What blocks of a size would be: how many in the block rows that are looked at, every `step`-th, and whether there are
 * partial ones. Where `block` is not null (step is 1 then), also what slices take: 32 times the longest of 32 rows, and 32
 * times the most blocks of 32 block rows. An invocation merges a block row. Traffic: the columns and row offsets of what
 * is looked at, twice in the cache. */
ARGS {
    u32s row; /* n + 1 offsets into col */
    u32s col;
    u32s slice;  /* entries of slices, 0 before */
    u32s block;  /* blocks of slices, 0 before, or null */
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
        [[unroll]] for (uint r = 0; r < 8u; r++)
            if (uvec2(block) != uvec2(0) && (m.rows >> r & 1u) != 0u)
                atomicMax(slice.at[(t * size + r) / 32u], 32u * (m.end[r] - m.at[r]));
        for (one_block b = next_block(m, col, cols, size); b.first != NONE; b = next_block(m, col, cols, size)) {
            blocks++;
            partial = partial || !b.full;
        }
        atomicAdd(blocks_here, blocks);
        atomicOr(partial_here, uint(partial));
        if (uvec2(block) != uvec2(0))
            atomicMax(block.at[t / 32u], 32u * blocks);
    }
    barrier();
    if (ME == 0) {
        atomicAdd(totals.at[0], blocks_here);
        atomicOr(totals.at[1], partial_here);
    }
}
