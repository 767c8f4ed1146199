/* Slices of any height with permuted rows, and ELL, which is one slice of all rows, as in
 * shaders/sparse/slices.glsl. */
#ifndef VKS_HOST_SPARSE_SLICES_H
#define VKS_HOST_SPARSE_SLICES_H

#include "host/sparse/sell.h"
#include "host/sum.h"

/* slice is NULL in ELL, whose rows are `width` wide; order is NULL if rows are not permuted. */
struct slices {
    const uint32_t *slice, *col, *base, *order;
    const uint32_t *bits; /* marks long rows, or NULL */
    const stored *val;
    uint32_t n, height, width, lanes;
};

static inline uint32_t slice_count(uint32_t n, uint32_t height)
{
    return n / height + (n % height != 0);
}

/* The slice that contains position i. */
static inline struct sell_slice slice_of(const uint32_t *slice, uint32_t height, uint32_t width, uint32_t i)
{
    return slice ? slice_at(slice, i / height, height) : (struct sell_slice){0, width, 0};
}

/* The row within the slice at position i. */
static inline uint32_t part_of(const uint32_t *slice, uint32_t height, uint32_t i)
{
    return slice ? i % height : i;
}

/* The row at position i. */
static inline uint32_t row_of(const uint32_t *order, uint32_t i)
{
    return order ? order[i] : i;
}

/* The products of `rows` rows, 4, 8, 16 or 32, of slice s from row j on. */
static inline void part_product(const struct slices *A, const scalar_t *x, struct sell_slice s, uint32_t j,
                                uint32_t rows, scalar_t *y)
{
    if (rows == SLICE)
        slice_product(A->col, A->base, A->val, x, s, y, A->height, j, A->lanes);
    else if (rows == 8)
        slice_lanes(A->col, A->base, A->val, x, s, y, A->height, j, 8, A->lanes);
    else
        slice_lanes(A->col, A->base, A->val, x, s, y, A->height, j, rows, A->lanes);
}

/* The products of the up to 256 positions of tile t, written to their rows of y, except long rows. */
static inline void slices_tile(const struct slices *A, const scalar_t *x, uint32_t t, scalar_t *y)
{
    uint32_t end = TILE * t + tile_length(t, A->n);
    uint32_t rows = A->slice && A->height < SLICE ? A->height : SLICE;
    for (uint32_t i = TILE * t; i < end; i += rows) {
        scalar_t v[SLICE];
        part_product(A, x, slice_of(A->slice, A->height, A->width, i), part_of(A->slice, A->height, i), rows,
                     v);
        for (uint32_t r = 0; r < rows && i + r < end; r++) {
            uint32_t row = row_of(A->order, i + r);
            if (!is_long(A->bits, row))
                y[row] = v[r];
        }
    }
}

/* y = A x */
static inline void slices_product(const struct slices *A, const scalar_t *x, scalar_t *y, struct member *me)
{
    uint32_t tiles = A->n ? tiles_of(A->n) : 0;
    FOR_TILES (t, tiles) {
        slices_tile(A, x, t, y);
    }
}

#endif
