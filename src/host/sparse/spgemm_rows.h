/* The columns of rows of C = A B, gathered in a table: the twin of spgemm_rows.glsl. */
#ifndef VKS_HOST_SPARSE_SPGEMM_ROWS_H
#define VKS_HOST_SPARSE_SPGEMM_ROWS_H

#include "host/kernel.h"
#include "shaders/sparse/spgemm.h"

#define EMPTY 0xFFFFFFFFu

/* A hash table of 1 << bits slots for at most `most` columns, which are fewer. */
struct table {
    uint32_t *slot, bits, most, used;
};

static inline void insert(struct table *t, uint32_t column)
{
    uint32_t at = (column * 0x9E3779B1u) >> (32 - t->bits), mask = (1u << t->bits) - 1;
    while (t->slot[at] != EMPTY && t->slot[at] != column)
        at = (at + 1) & mask;
    t->used += t->slot[at] == EMPTY;
    t->slot[at] = column;
}

/* Gathers the columns of a row with entries first .. last - 1 in A; stops beyond t->most. */
static inline void gather_columns(struct table *t, const uint32_t *a_col, const uint32_t *b_row,
                                  const uint32_t *b_col, uint32_t first, uint32_t last)
{
    for (uint32_t s = 0; s < 1u << t->bits; s++)
        t->slot[s] = EMPTY;
    t->used = 0;
    for (uint32_t e = first; e < last; e++)
        for (uint32_t f = b_row[a_col[e]]; f < b_row[a_col[e] + (size_t)1] && t->used <= t->most; f++)
            insert(t, b_col[f]);
}

/* D. L. Shell's sort, with the gaps of M. Ciura (2001). */
static inline void sort_columns(uint32_t *v, uint32_t n)
{
    static const uint32_t gaps[] = {701, 301, 132, 57, 23, 10, 4, 1};
    for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++)
        for (uint32_t i = gaps[g]; i < n; i++) {
            uint32_t moved = v[i], at = i;
            for (; at >= gaps[g] && v[at - gaps[g]] > moved; at -= gaps[g])
                v[at] = v[at - gaps[g]];
            v[at] = moved;
        }
}

/* Writes the used slots to `to`, ascending. */
static inline void sorted_columns(const struct table *t, uint32_t *to)
{
    uint32_t n = 0;
    for (uint32_t s = 0; s < 1u << t->bits; s++)
        if (t->slot[s] != EMPTY)
            to[n++] = t->slot[s];
    sort_columns(to, n);
}

#endif
