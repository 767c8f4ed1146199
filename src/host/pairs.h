/* Arithmetic on pairs of floats, and their sums in the canonical order; shaders/pairs.glsl is the twin and
 * cites the sources. */
#ifndef VKS_HOST_PAIRS_H
#define VKS_HOST_PAIRS_H

#include "device/pair.h"
#include "host/sum.h"

#define PART float
#define PAIR struct pair
#define PAIR_NAME(name) name
#define PART_BITS uint32_t
#define PART_MASK 0xFFFFF000u
#include "host/pair_arithmetic.h"

/* The halving tree over v, in place, starting at `stride`. */
static inline struct pair pair_tree(struct pair *v, uint32_t stride)
{
    for (; stride; stride /= 2)
        for (uint32_t j = 0; j < stride; j++)
            v[j] = pair_plus(v[j], v[j + stride]);
    return v[0];
}

/* The sum of `length` values. */
static inline struct pair pair_tile_sum(const struct pair *from, uint32_t length)
{
    struct pair v[TILE] = {{0, 0}};
    memcpy(v, from, length * sizeof *v);
    return pair_tree(v, TILE / 2);
}

/* The sum of the `count` sums at s; overwrites them with the levels. */
static inline struct pair pair_sum_in_place(struct pair *s, uint32_t count)
{
    for (; count > 1; count = tiles_of(count))
        for (uint32_t g = 0; g < tiles_of(count); g++)
            s[g] = pair_tile_sum(s + (size_t)g * TILE, tile_length(g, count));
    return *s;
}

/* Entries k .. end - 1 of a row of A x, summed by 1, 2 ... 32 lanes. */
static inline struct pair pair_row_sum(const uint32_t *col, const struct pair *val, const struct pair *x,
                                       uint32_t k, uint32_t end, uint32_t lanes)
{
    struct pair v[32] = {{0, 0}};
    for (uint32_t lane = 0; k < end; k++, lane = (lane + 1) % lanes)
        v[lane] = pair_plus(v[lane], pair_times(val[k], x[col[k]]));
    return pair_tree(v, lanes / 2);
}

#endif
