/* Rows of a BSR matrix times x, as in shaders/sparse/bsr.glsl: entry by entry, 32 rows of a slice at a
 * time. */
#ifndef VKS_HOST_SPARSE_BSR_H
#define VKS_HOST_SPARSE_BSR_H

#include "host/sparse/long.h"

enum { GROUP = 32 };

struct bsr {
    const uint32_t *row, *slice, *block, *first, *mask;
    const stored *val;
    uint32_t n, size;
};

/* From the leading arguments of each BSR kernel. */
#define BSR_OF(a) ((struct bsr){a->row, a->slice, a->block, a->first, a->mask, a->val, a->n, a->size})

static inline uint32_t words_of_mask(uint32_t size)
{
    return size > 4 ? 2 : 1;
}

/* A row: the positions of its first value, block and mask, and its bit offset in a mask. The next are 32
 * values, 32 blocks and 32 words_of_mask(size) words further on. */
struct bsr_row {
    uint32_t val, block, mask, shift;
    uint32_t length; /* 0 if long: not stored */
    bool is_long;
};

static inline struct bsr_row row_at(const struct bsr *A, uint32_t i)
{
    uint32_t s = i / (GROUP * A->size), inner = i % (GROUP * A->size);
    uint32_t place = inner / A->size, part = inner % A->size, length = A->row[i + 1] - A->row[i];
    return (struct bsr_row){.val = A->slice[i / GROUP] + i % GROUP,
                            .block = A->block[s] + place,
                            .mask = words_of_mask(A->size) * A->block[s] + GROUP * (part / 4) + place,
                            .shift = part % 4 * A->size,
                            .length = length > LONG_ROW ? 0 : length,
                            .is_long = length > LONG_ROW};
}

/* A walk over the entries of a row in partial blocks: the remaining bits of a block, and the next block. */
struct bsr_walk {
    uint32_t first, bits, next;
};

/* The column of the next entry, which must exist. */
static inline uint32_t next_column(const struct bsr *A, const struct bsr_row *p, struct bsr_walk *w)
{
    while (!w->bits) {
        w->first = A->first[p->block + GROUP * w->next];
        w->bits =
            A->mask[p->mask + GROUP * words_of_mask(A->size) * w->next] >> p->shift & ((1u << A->size) - 1);
        w->next++;
    }
    uint32_t c = w->first + (uint32_t)__builtin_ctz(w->bits);
    w->bits &= w->bits - 1;
    return c;
}

/* The rows of a slice of values, all in one slice of blocks. */
struct bsr_group {
    uint32_t count, longest, shortest; /* shortest: 0 if there are fewer than 32 rows */
    struct bsr_row row[GROUP];
    uint32_t length[GROUP], block[GROUP]; /* of the rows; length 0 beyond the last row */
    struct bsr_walk walk[GROUP];
};

static inline void group_at(const struct bsr *A, uint32_t i, struct bsr_group *g)
{
    g->count = A->n - i < GROUP ? A->n - i : GROUP;
    g->longest = 0;
    g->shortest = UINT32_MAX;
    for (uint32_t j = 0; j < GROUP; j++) {
        g->row[j] = j < g->count ? row_at(A, i + j) : (struct bsr_row){.block = g->row[0].block};
        g->walk[j] = (struct bsr_walk){0};
        g->length[j] = g->row[j].length;
        g->block[j] = g->row[j].block;
        g->longest = g->length[j] > g->longest ? g->length[j] : g->longest;
        g->shortest = g->length[j] < g->shortest ? g->length[j] : g->shortest;
    }
}

/* Stores into `to` the columns, less the returned offset, of the k-th entries of rows that have one. k must
 * ascend by one. */
static inline uint32_t group_columns(const struct bsr *A, struct bsr_group *g, uint32_t k,
                                     uint32_t *restrict to)
{
    if (A->mask) {
        for (uint32_t j = 0; j < g->count; j++)
            if (k < g->length[j])
                to[j] = next_column(A, &g->row[j], &g->walk[j]);
        return 0;
    }
    const uint32_t *first = A->first + GROUP * (k / A->size);
    for (uint32_t j = 0; k % A->size == 0 && j < GROUP; j++)
        to[j] = first[g->block[j]];
    return k % A->size;
}

static inline __attribute__((always_inline)) void group_lanes(const struct bsr *A, const scalar_t *restrict x,
                                                              struct bsr_group *g, scalar_t *restrict y,
                                                              uint32_t lanes)
{
    scalar_t sum[32][GROUP];
    uint32_t c[GROUP] = {0};
    for (uint32_t l = 0; l < lanes; l++)
        for (uint32_t j = 0; j < GROUP; j++)
            sum[l][j] = 0;
    for (uint32_t k = 0; k < g->longest; k++) {
        const stored *v = A->val + g->row[0].val + (size_t)GROUP * k;
        const scalar_t *from = x + group_columns(A, g, k, c);
        scalar_t *s = sum[k % lanes];
        if (k < g->shortest)
            for (uint32_t j = 0; j < GROUP; j++)
                s[j] += mul(v[j], from[c[j]]);
        else
            for (uint32_t j = 0; j < GROUP; j++)
                if (k < g->length[j])
                    s[j] += mul(v[j], from[c[j]]);
    }
    for (uint32_t stride = lanes / 2; stride; stride /= 2)
        for (uint32_t l = 0; l < stride; l++)
            for (uint32_t j = 0; j < GROUP; j++)
                sum[l][j] += sum[l + stride][j];
    for (uint32_t j = 0; j < g->count; j++)
        y[j] = g->row[j].is_long ? y[j] : sum[0][j];
}

static inline void group_product(const struct bsr *A, const scalar_t *x, struct bsr_group *g, scalar_t *y,
                                 uint32_t lanes)
{
    switch (lanes) {
    case 1:
        group_lanes(A, x, g, y, 1);
        break;
    case 2:
        group_lanes(A, x, g, y, 2);
        break;
    case 4:
        group_lanes(A, x, g, y, 4);
        break;
    case 8:
        group_lanes(A, x, g, y, 8);
        break;
    case 16:
        group_lanes(A, x, g, y, 16);
        break;
    default:
        group_lanes(A, x, g, y, 32);
    }
}

/* The products of the `length` rows from row i on, a multiple of 32; y of long rows is unchanged. */
static inline void rows_product(const struct bsr *A, const scalar_t *x, uint32_t i, uint32_t length,
                                scalar_t *y, uint32_t lanes)
{
    for (uint32_t j = 0; j < length; j += GROUP) {
        struct bsr_group g;
        group_at(A, i + j, &g);
        group_product(A, x, &g, y + j, lanes);
    }
}

#endif
