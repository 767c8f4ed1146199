/* Slices of a SELL matrix times x, as in shaders/sparse/sell.glsl: entry by entry, up to 32 rows at a time.
 */
#ifndef VKS_HOST_SPARSE_SELL_H
#define VKS_HOST_SPARSE_SELL_H

#include "host/sparse/long.h"

#include <string.h>

enum { SLICE = 32, TILE_ROWS = 8 * SLICE, MOST_LANES = 32, NONE_COMPACT = 0xFFFF };
#define NONE UINT32_MAX

/* A slice: its first entry, its width, and the start of its compact columns, in units of four entries of each
 * row. */
struct sell_slice {
    uint32_t first, width, four;
};

/* The number of stored entries of row i; 0 if it is long. */
static inline uint32_t stored_length(const uint32_t *row, uint32_t i)
{
    uint32_t length = row[i + 1] - row[i];
    return length > LONG_ROW ? 0 : length;
}

/* Slice s, with `height` rows each. */
static inline struct sell_slice slice_at(const uint32_t *slice, uint32_t s, uint32_t height)
{
    uint32_t first = slice[s], columns = first / height;
    return (struct sell_slice){first, (slice[s + 1] - first) / height, (columns + 3 * (s + 1)) / 4};
}

/* The index of the first word with compact columns of a slice's k-th entries; rows are two words apart. */
static inline uint32_t compact_word(struct sell_slice s, uint32_t height, uint32_t k)
{
    return 2 * height * (s.four + k / 4) + k / 2 % 2;
}

/* The columns of the k-th entries of the rows j, j + 1 ... of a slice. */
static inline void slice_columns(const uint32_t *col, const uint32_t *base, struct sell_slice s,
                                 uint32_t height, uint32_t j, uint32_t rows, uint32_t k,
                                 uint32_t *restrict to)
{
    if (!base) {
        memcpy(to, col + s.first + height * k + j, rows * sizeof *to);
        return;
    }
    const uint32_t *word = col + compact_word(s, height, k) + 2 * j, from = base[4 * s.four + k];
    for (uint32_t r = 0; r < rows; r++) {
        uint32_t above = word[2 * r] >> k % 2 * 16 & 0xFFFF;
        to[r] = above == NONE_COMPACT ? NONE : from + above;
    }
}

/* The products of rows j, j + 1 ..., at most 32, of a slice. Inlined, so that the last arguments are
 * constants. */
static inline __attribute__((always_inline)) void slice_lanes(const uint32_t *col, const uint32_t *base,
                                                              const stored *restrict val,
                                                              const scalar_t *restrict x, struct sell_slice s,
                                                              scalar_t *restrict y, uint32_t height,
                                                              uint32_t j, uint32_t rows, uint32_t lanes)
{
    scalar_t sum[MOST_LANES][SLICE];
    for (uint32_t l = 0; l < lanes; l++)
        for (uint32_t r = 0; r < rows; r++)
            sum[l][r] = 0;
    for (uint32_t k = 0; k < s.width; k++) {
        uint32_t c[SLICE];
        const stored *v = val + s.first + height * k + j;
        slice_columns(col, base, s, height, j, rows, k, c);
        for (uint32_t r = 0; r < rows; r++)
            if (c[r] != NONE)
                sum[k % lanes][r] += mul(v[r], x[c[r]]);
    }
    for (uint32_t stride = lanes / 2; stride; stride /= 2)
        for (uint32_t l = 0; l < stride; l++)
            for (uint32_t r = 0; r < rows; r++)
                sum[l][r] += sum[l + stride][r];
    for (uint32_t r = 0; r < rows; r++)
        y[r] = sum[0][r];
}

/* The products of rows j .. j + 31 of a slice; 0 beyond the last row. */
static inline __attribute__((always_inline)) void slice_product(const uint32_t *col, const uint32_t *base,
                                                                const stored *val, const scalar_t *x,
                                                                struct sell_slice s, scalar_t *y,
                                                                uint32_t height, uint32_t j, uint32_t lanes)
{
    switch (lanes) {
    case 1:
        slice_lanes(col, base, val, x, s, y, height, j, SLICE, 1);
        break;
    case 2:
        slice_lanes(col, base, val, x, s, y, height, j, SLICE, 2);
        break;
    case 4:
        slice_lanes(col, base, val, x, s, y, height, j, SLICE, 4);
        break;
    case 8:
        slice_lanes(col, base, val, x, s, y, height, j, SLICE, 8);
        break;
    default:
        slice_lanes(col, base, val, x, s, y, height, j, SLICE, lanes);
    }
}

/* The products of the `length` rows of tile t, into y, except rows whose bits are set. */
static inline void sell_tile(const uint32_t *slice, const uint32_t *col, const uint32_t *base,
                             const stored *val, const scalar_t *x, const uint32_t *bits, uint32_t t,
                             uint32_t length, scalar_t *y, uint32_t lanes)
{
    for (uint32_t k = 0; SLICE * k < length; k++) {
        scalar_t v[SLICE];
        uint32_t rows = length - SLICE * k;
        slice_product(col, base, val, x, slice_at(slice, 8 * t + k, SLICE), v, SLICE, 0, lanes);
        rows = rows < SLICE ? rows : SLICE;
        for (uint32_t j = 0; bits && bits[8 * t + k] && j < rows; j++)
            if (is_long(bits, TILE_ROWS * t + SLICE * k + j))
                v[j] = y[SLICE * k + j];
        memcpy(y + SLICE * k, v, rows * sizeof *y);
    }
}

#endif
