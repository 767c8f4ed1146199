/* Inverses of small blocks; shaders/block/invert.glsl is the twin, and explains the method. */
#ifndef VKS_HOST_BLOCK_INVERT_H
#define VKS_HOST_BLOCK_INVERT_H

#include "host/kernel.h"
#include "shaders/block/invert.h"

struct batch {
    const uint32_t *rows, *at;
    const scalar_t *from;
    scalar_t *to;
    uint32_t *fault;
    uint32_t count, size;
};

/* The column of the largest finite entry in row k of the block, among columns without a pivot, or n. */
static inline uint32_t find_pivot(const scalar_t *t, const uint32_t *step, uint32_t n, uint32_t k)
{
    uint32_t pivot = n;
    real largest = 0;
    for (uint32_t l = 0; l < n; l++) {
        scalar_t v = t[l * n + k];
        real size = v < 0 ? -v : v;
        if (step[l] == n && isfinite(size) && size > largest) {
            largest = size;
            pivot = l;
        }
    }
    return pivot;
}

/* t holds the columns of a block, one after the other; s becomes the pivot's column of multipliers. */
static inline void eliminate(scalar_t *restrict t, scalar_t *restrict s, uint32_t n, uint32_t pivot,
                             uint32_t k)
{
    scalar_t *p = t + pivot * n, inverse = divide(1, p[k]);
    for (uint32_t j = 0; j < n; j++)
        s[j] = mul(p[j], inverse);
    s[k] = inverse;
    for (uint32_t l = 0; l < n; l++) {
        scalar_t *restrict c = t + l * n, f = c[k];
        if (l == pivot) {
            for (uint32_t j = 0; j < n; j++)
                c[j] = s[j];
        } else {
            for (uint32_t j = 0; j < n; j++)
                c[j] -= mul(f, s[j]);
            c[k] = -mul(f, inverse);
        }
    }
}

/* Inverts a block. Returns the row without a pivot, or n. */
static inline uint32_t invert_one(const scalar_t *from, scalar_t *to, uint32_t n)
{
    scalar_t t[BLOCK_MOST * BLOCK_MOST], s[BLOCK_MOST];
    uint32_t step[BLOCK_MOST], pivots[BLOCK_MOST];
    for (uint32_t l = 0; l < n; l++) {
        step[l] = n;
        for (uint32_t i = 0; i < n; i++)
            t[l * n + i] = from[i * n + l];
    }
    for (uint32_t k = 0; k < n; k++) {
        pivots[k] = find_pivot(t, step, n, k);
        if (pivots[k] == n) {
            for (uint32_t i = 0; i < n * n; i++)
                to[i] = 0;
            return k;
        }
        step[pivots[k]] = k;
        eliminate(t, s, n, pivots[k], k);
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t l = 0; l < n; l++)
            to[pivots[i] * n + step[l]] = t[l * n + i];
    return n;
}

/* Inverts the blocks of more than `least` and up to `most` rows. */
static inline void invert(const struct batch *all, uint32_t least, uint32_t most, struct member *me)
{
    TEAM_FOR(me, b, all->count, 64, 1)
    {
        uint32_t n = all->size ? all->size : all->rows[b + 1] - all->rows[b];
        uint32_t at = all->size ? b * n * n : all->at[b];
        if (n <= least || n > most)
            continue;
        uint32_t lost = invert_one(all->from + at, all->to + at, n);
        if (lost < n)
            take_least(all->fault, b * BLOCK_MOST + lost);
    }
}

#endif
