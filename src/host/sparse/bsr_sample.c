#include "host/sparse/bsr_merge.h"
#include "shaders/sparse/statistics.h"

/* Counts the blocks and entries of the inspected block rows, and detects partial blocks. */
static void sample(const struct bsr_sample_args *a, uint32_t size, uint32_t *seen, struct member *me)
{
    uint32_t rows = a->n / size + (a->n % size != 0), step = rows / a->most + 1;
    uint32_t sampled = rows / step + (rows % step != 0), blocks = 0, entries = 0, partial = 0;
    TEAM_FOR(me, t, sampled, PARALLEL_FROM / 8, 32)
    {
        struct block_row m = block_row_at(a->row, a->n, size, t * step);
        struct one_block b;
        for (uint32_t some = 0; (b = next_block(&m, a->col, a->cols, size)).first != NONE;) {
            blocks++;
            entries += (uint32_t)(__builtin_popcount(b.mask[0]) + __builtin_popcount(b.mask[1]));
            partial |= !b.full;
            if (a->few && (!b.full || ++some == a->few))
                break;
        }
    }
    TEAM_ONE_AT_A_TIME(me)
    {
        seen[0] += blocks;
        seen[1] += entries;
        seen[2] |= partial;
    }
}

KERNEL(bsr_sample)
{
    for (uint32_t kind = 0; kind < BLOCK_SIZES; kind++)
        sample(a, BLOCK_LEAST + kind, a->words + BLOCKS_SEEN + 3 * kind, me);
}
