/* The systems of a batch in the twins; shaders/batch/frame.glsl has the layout. */
#ifndef VKS_HOST_BATCH_FRAME_H
#define VKS_HOST_BATCH_FRAME_H

#include "host/powers.h"
#include "host/sum.h"
#include "shaders/batch/batch.h"
#include "shaders/solver/state.h"

/* The systems first .. end - 1, shared by the team. */
#define FOR_SYSTEMS(s, first, end)            \
    TEAM_FOR(me, s##_, (end) - (first), 2, 1) \
    for (uint32_t s = (first) + s##_, s##_once_ = 1; s##_once_; s##_once_ = 0)

/* A system: its shape, and its parts of the arrays. */
struct batch_system {
    uint32_t n, width, at;
    const scalar_t *val; /* entry k of row i: k n + i */
    const uint32_t *col;
    uint32_t *word;
    real *number;
};

static inline struct batch_system batch_system(const uint32_t *place, const scalar_t *val,
                                               const uint32_t *col, uint32_t *word, real *number, uint32_t s)
{
    const uint32_t *mine = place + (size_t)s * PLACE_WORDS;
    return (struct batch_system){.n = mine[PLACE_ROWS],
                                 .width = mine[PLACE_WIDTH],
                                 .at = mine[PLACE_AT],
                                 .val = val + mine[PLACE_VALUES],
                                 .col = col + mine[PLACE_COLUMNS],
                                 .word = word + (size_t)s * BATCH_WORDS,
                                 .number = number + (size_t)s * BATCH_NUMBERS};
}
#define BATCH_SYSTEM(a, s) batch_system((a)->place, (a)->val, (a)->col, (a)->word, (a)->numbers, s)

/* q = A p */
static inline void batch_product(const struct batch_system *A, const scalar_t *restrict p,
                                 scalar_t *restrict q)
{
    const scalar_t *val = A->val;
    const uint32_t *col = A->col;
    memset(q, 0, A->n * sizeof *q);
    for (uint32_t k = 0; k < A->width; k++, val += A->n, col += A->n)
        for (uint32_t i = 0; i < A->n; i++)
            q[i] += mul(val[i], p[col[i]]);
}

/* x . y */
static inline scalar_t batch_dot(const scalar_t *x, const scalar_t *y, uint32_t n)
{
    scalar_t s[BATCH_ROWS / TILE] = {0};
    uint32_t tiles = tiles_of(n);
    for (uint32_t t = 0; t < tiles; t++)
        s[t] = tile_dot(x + t * TILE, y + t * TILE, tile_length(t, n));
    return sum_in_place(s, tiles);
}

/* The largest e with 2^e at most an element's magnitude; 0 if one is not finite. */
static inline int batch_largest_exponent(const scalar_t *v, uint32_t n)
{
    int largest = 1 - BIAS;
    for (uint32_t i = 0; i < n; i++)
        largest = exponent_of(v[i]) > largest ? exponent_of(v[i]) : largest;
    return largest > BIAS ? 0 : largest;
}

/* The Euclidean norm, from squares of elements divided by 2^e. */
static inline real batch_norm(const scalar_t *v, uint32_t n, int e)
{
    scalar_t s[BATCH_ROWS];
    for (uint32_t i = 0; i < n; i++)
        s[i] = scaled(v[i], -e);
    return square_root(real_part(batch_dot(s, s, n))) * power_of_two(e);
}

#endif
