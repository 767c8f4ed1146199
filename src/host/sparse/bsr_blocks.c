#include "host/sparse/bsr_merge.h"

/* Stores block row `index`, at position `place` of slice s. */
static void put_blocks(const struct bsr_blocks_args *a, uint32_t index, uint32_t s, uint32_t place)
{
    uint32_t from = a->block[s], width = (a->block[s + 1] - from) / 32, words = a->size > 4 ? 2 : 1;
    struct block_row rows = block_row_at(a->row, a->n, a->size, index);
    for (uint32_t q = 0; q < width; q++) {
        struct one_block b = next_block(&rows, a->col, a->cols, a->size);
        a->first[from + 32 * q + place] = b.first == NONE ? 0 : b.first;
        for (uint32_t w = 0; a->mask && w < words; w++)
            a->mask[words * from + 32 * (words * q + w) + place] = b.mask[w];
    }
}

KERNEL(bsr_blocks)
{
    uint32_t rows = 32 * a->size, slices = a->n / rows + (a->n % rows != 0);
    PARALLEL_FOR (index, 32 * slices) {
        put_blocks(a, index, index / 32, index % 32);
    }
}
