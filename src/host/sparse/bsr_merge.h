/* Merges the rows of a block row, up to eight and except long ones, into blocks in ascending order. The twin
 * of shaders/sparse/bsr_merge.glsl. */
#ifndef VKS_HOST_SPARSE_BSR_MERGE_H
#define VKS_HOST_SPARSE_BSR_MERGE_H

#include "host/sparse/long.h"

#define NONE UINT32_MAX

/* The remaining entries of each row, its position in the block, and the number of rows. */
struct block_row {
    uint32_t at[8], end[8], place[8], rows;
};

static inline struct block_row block_row_at(const uint32_t *row, uint32_t n, uint32_t size, uint32_t index)
{
    struct block_row m = {0};
    for (uint32_t i = index * size, r = 0; r < size && i < n; i++, r++) {
        if (row[i + 1] - row[i] > LONG_ROW)
            continue;
        m.at[m.rows] = row[i];
        m.end[m.rows] = row[i + 1];
        m.place[m.rows++] = r;
    }
    return m;
}

/* A block: its first column, NONE at the end; a bit for each entry, four rows to a word; whether all entries
 * within the matrix are present. */
struct one_block {
    uint32_t first, mask[2];
    bool full;
};

static inline struct one_block next_block(struct block_row *m, const uint32_t *col, uint32_t cols,
                                          uint32_t size)
{
    struct one_block b = {.first = NONE, .full = true};
    for (uint32_t r = 0; r < m->rows; r++)
        if (m->at[r] < m->end[r] && col[m->at[r]] < b.first)
            b.first = col[m->at[r]];
    if (b.first == NONE)
        return b;
    b.first -= b.first % size;
    uint32_t all = (1u << (cols - b.first < size ? cols - b.first : size)) - 1;
    for (uint32_t r = 0; r < m->rows; r++) {
        uint32_t bits = 0;
        for (; m->at[r] < m->end[r] && col[m->at[r]] - b.first < size; m->at[r]++)
            bits |= 1u << (col[m->at[r]] - b.first);
        b.mask[m->place[r] / 4] |= bits << m->place[r] % 4 * size;
        b.full = b.full && bits == all;
    }
    return b;
}

#endif
