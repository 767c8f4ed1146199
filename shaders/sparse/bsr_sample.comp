#include "kernel.glsl"
#include "sparse/bsr_merge.glsl"
#include "sparse/statistics.h"

/* Estimates the blocks of each size from at most `most` evenly spaced block rows of that size: the number of blocks
 * and entries, and whether some blocks are partial. A block row can be limited to its first few blocks, up to one that
 * is partial. An invocation merges a block row. Traffic: the columns and row offsets of the sample. */
ARGS {
    u32s row; /* n + 1 offsets into col */
    u32s col;
    u32s words; /* of the statistics */
    uint n;
    uint cols;
    uint most;
    uint few; /* blocks per block row; 0: all */
};

shared uint seen[3u * BLOCK_SIZES];

void main()
{
    if (ME < 3u * BLOCK_SIZES)
        seen[ME] = 0;
    barrier();
    FOR_EACH(t, BLOCK_SIZES * most) {
        uint kind = t / most, size = BLOCK_LEAST + kind, rows = groups_of(n, size), step = rows / most + 1u;
        if (t % most >= groups_of(rows, step))
            continue;
        block_row m = block_row_at(row, n, size, t % most * step);
        uint blocks = 0, entries = 0;
        bool partial = false;
        for (;;) {
            one_block b = next_block(m, col, cols, size); /* a single call, since compilers inline each one */
            if (b.first == NONE)
                break;
            blocks++;
            entries += bitCount(b.mask.x) + bitCount(b.mask.y);
            partial = partial || !b.full;
            if (few != 0 && (partial || blocks == few))
                break;
        }
        atomicAdd(seen[3u * kind], blocks);
        atomicAdd(seen[3u * kind + 1u], entries);
        atomicOr(seen[3u * kind + 2u], uint(partial));
    }
    barrier();
    if (ME >= 3u * BLOCK_SIZES)
        return;
    if (ME % 3u == 2u)
        atomicOr(words.at[BLOCKS_SEEN + ME], seen[ME]);
    else
        atomicAdd(words.at[BLOCKS_SEEN + ME], seen[ME]);
}
