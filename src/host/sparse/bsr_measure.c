#include "host/sparse/bsr_merge.h"

/* Measures of some block rows: the number of blocks, the most in one row, and whether some are partial. */
struct measure {
    uint32_t blocks, most, partial;
};

static struct measure measure_block_rows(const struct bsr_measure_args *a, uint32_t from, uint32_t to)
{
    struct measure m = {0};
    for (uint32_t t = from; t < to; t++) {
        struct block_row rows = block_row_at(a->row, a->n, a->size, t);
        struct one_block b;
        uint32_t blocks = 0;
        while ((b = next_block(&rows, a->col, a->cols, a->size)).first != NONE) {
            blocks++;
            m.partial |= !b.full;
        }
        m.blocks += blocks;
        m.most = blocks > m.most ? blocks : m.most;
    }
    return m;
}

static uint32_t least(uint32_t x, uint32_t y)
{
    return x < y ? x : y;
}

/* The longest of the rows from .. to - 1, not counting long rows. */
static uint32_t longest_row(const struct bsr_measure_args *a, uint32_t from, uint32_t to)
{
    uint32_t longest = 0;
    for (uint32_t i = from; i < to; i++) {
        uint32_t length = a->row[i + 1] - a->row[i];
        longest = length > longest && length <= LONG_ROW ? length : longest;
    }
    return longest;
}

KERNEL(bsr_measure)
{
    uint32_t rows = a->n / a->size + (a->n % a->size != 0), slices = rows / 32 + (rows % 32 != 0);
    uint32_t blocks = 0, partial = 0;
    TEAM_FOR(me, s, slices, PARALLEL_FROM / 32, 1)
    {
        struct measure m = measure_block_rows(a, 32 * s, least(32 * s + 32, rows));
        blocks += m.blocks;
        partial |= m.partial;
        a->block[s] = 32 * m.most;
        for (uint32_t i = 32 * a->size * s; i < least(32 * a->size * (s + 1), a->n); i += 32)
            a->slice[i / 32] = 32 * longest_row(a, i, least(i + 32, a->n));
    }
    TEAM_ONE_AT_A_TIME(me)
    {
        a->totals[0] += blocks;
        a->totals[1] |= partial;
    }
}
