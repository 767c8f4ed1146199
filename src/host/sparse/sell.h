/* Slices of a SELL matrix times x, as in shaders/sparse/sell.glsl: entry by entry, 32 rows at a time. */
#ifndef VKS_HOST_SPARSE_SELL_H
#define VKS_HOST_SPARSE_SELL_H

#include "host/sparse/long.h"

#include <string.h>

enum { SLICE = 32, TILE_ROWS = 8 * SLICE, NONE_COMPACT = 0xFFFF };
#define NONE UINT32_MAX

/* A slice: its first entry, its width, and where its compact columns begin, four entries of each row a unit.
 */
struct sell_slice {
    uint32_t first, width, four;
};

/* The entries that row i has in its slice: none if it is long. */
static inline uint32_t slice_row_length(const uint32_t *row, uint32_t i)
{
    uint32_t length = row[i + 1] - row[i];
    return length > LONG_ROW ? 0 : length;
}

static inline struct sell_slice slice_at(const uint32_t *slice, uint32_t s)
{
    uint32_t first = slice[s], columns = first / SLICE;
    return (struct sell_slice){first, (slice[s + 1] - first) / SLICE, (columns + 3 * (s + 1)) / 4};
}

/* The words with the compact columns of the k-th entries of a slice, two apart. */
static inline uint32_t compact_word(struct sell_slice s, uint32_t k)
{
    return 2 * SLICE * (s.four + k / 4) + k / 2 % 2;
}

/* The columns of the k-th entries of a slice. */
static inline void slice_columns(const uint32_t *col, const uint32_t *base, struct sell_slice s, uint32_t k,
                                 uint32_t *restrict to)
{
    if (!base) {
        memcpy(to, col + s.first + SLICE * k, SLICE * sizeof *to);
        return;
    }
    const uint32_t *word = col + compact_word(s, k), from = base[4 * s.four + k];
    for (uint32_t j = 0; j < SLICE; j++) {
        uint32_t above = word[2 * j] >> k % 2 * 16 & 0xFFFF;
        to[j] = above == NONE_COMPACT ? NONE : from + above;
    }
}

static inline __attribute__((always_inline)) void slice_lanes(const uint32_t *col, const uint32_t *base,
                                                              const real *restrict val,
                                                              const real *restrict x, struct sell_slice s,
                                                              real *restrict y, uint32_t lanes)
{
    real sum[8][SLICE] = {0};
    for (uint32_t k = 0; k < s.width; k++) {
        uint32_t c[SLICE];
        const real *v = val + s.first + SLICE * k;
        slice_columns(col, base, s, k, c);
        for (uint32_t j = 0; j < SLICE; j++)
            if (c[j] != NONE)
                sum[k % lanes][j] += v[j] * x[c[j]];
    }
    for (uint32_t stride = lanes / 2; stride; stride /= 2)
        for (uint32_t l = 0; l < stride; l++)
            for (uint32_t j = 0; j < SLICE; j++)
                sum[l][j] += sum[l + stride][j];
    for (uint32_t j = 0; j < SLICE; j++)
        y[j] = sum[0][j];
}

/* The products of the 32 rows of a slice, of which those beyond the last row are 0. */
static inline void slice_product(const uint32_t *col, const uint32_t *base, const real *val, const real *x,
                                 struct sell_slice s, real *y, uint32_t lanes)
{
    switch (lanes) {
    case 1:
        slice_lanes(col, base, val, x, s, y, 1);
        break;
    case 2:
        slice_lanes(col, base, val, x, s, y, 2);
        break;
    case 4:
        slice_lanes(col, base, val, x, s, y, 4);
        break;
    default:
        slice_lanes(col, base, val, x, s, y, 8);
    }
}

/* The products of the `length` rows of tile t, into y, but for those whose bits are set. */
static inline void sell_tile(const uint32_t *slice, const uint32_t *col, const uint32_t *base,
                             const real *val, const real *x, const uint32_t *bits, uint32_t t,
                             uint32_t length, real *y, uint32_t lanes)
{
    for (uint32_t k = 0; SLICE * k < length; k++) {
        real v[SLICE];
        uint32_t rows = length - SLICE * k;
        slice_product(col, base, val, x, slice_at(slice, 8 * t + k), v, lanes);
        rows = rows < SLICE ? rows : SLICE;
        for (uint32_t j = 0; bits && bits[8 * t + k] && j < rows; j++)
            if (is_long(bits, TILE_ROWS * t + SLICE * k + j))
                v[j] = y[SLICE * k + j];
        memcpy(y + SLICE * k, v, rows * sizeof *y);
    }
}

#endif
