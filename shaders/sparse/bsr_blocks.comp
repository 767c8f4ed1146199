#include "kernel.glsl"
#include "sparse/bsr_merge.glsl"

/* Writes the first columns of the blocks, and their masks unless `mask` is null; the starts of the slices are known.
 * Padding of a block row to the width of its slice is 0. An invocation merges a block row. Traffic: the columns and
 * row offsets read, twice from the cache, a word or more for each block written. */
ARGS {
    u32s  row; /* n + 1 offsets into col */
    u32s  col;
    u32s  block; /* slices + 1 offsets */
    u32s  first;
    u32s  mask; /* a word for each block of up to four rows, else two, or null */
    zeros none;
    uint  n;
    uint  cols;
    uint  size;
};
DEFINE_NO_ADDRESS

void main()
{
    uint words = size > 4u ? 2u : 1u, slices = groups_of(n, 32u * size);
    FOR_EACH(index, 32u * slices) {
        uint from = block.at[index / 32u], to = block.at[index / 32u + 1u], at = from + index % 32u;
        block_row m = block_row_at(row, n, size, index);
        for (uint q = 0; at < to; q++, at += 32u) {
            one_block b = next_block(m, col, cols, size);
            first.at[at] = b.first == NONE ? 0u : b.first;
            for (uint w = 0; is_there(uvec2(mask)) && w < words; w++)
                mask.at[words * from + 32u * (words * q + w) + index % 32u] = b.mask[w];
        }
    }
}
