/* The dense system of a row of a factor; shaders/fsai/solve.glsl is the twin, and explains it. */
#ifndef VKS_HOST_FSAI_SOLVE_H
#define VKS_HOST_FSAI_SOLVE_H

#include "device/search.h"
#include "host/kernel.h"
#include "shaders/fsai/fsai.h"

#include <string.h>

struct rows_of_A {
    const uint32_t *row, *col;
    const stored *val;
    const real *size;
    bool positive;
};

#define ROWS_OF_A(a)                                           \
    &(struct rows_of_A)                                        \
    {                                                          \
        (a)->row, (a)->col, (a)->val, (a)->size, (a)->positive \
    }

/* The columns S of a row, and the position of each in a hash table. */
enum { PLACES = 128, NO_PLACE = 255 };
struct columns {
    uint32_t S[FSAI_MOST], count;
    uint8_t place[PLACES];
};

static inline void columns_clear(struct columns *c)
{
    c->count = 0;
    memset(c->place, NO_PLACE, sizeof c->place);
}

static inline void columns_add(struct columns *c, uint32_t column)
{
    uint32_t at = column % PLACES;
    while (c->place[at] != NO_PLACE)
        at = (at + 1) % PLACES;
    c->place[at] = (uint8_t)c->count;
    c->S[c->count++] = column;
}

/* The position of a column in S, or NO_PLACE. */
static inline uint32_t columns_find(const struct columns *c, uint32_t column)
{
    uint32_t at = column % PLACES;
    while (c->place[at] != NO_PLACE && c->S[c->place[at]] != column)
        at = (at + 1) % PLACES;
    return c->place[at];
}

/* to[k * stride] = a_ij, where j is column k of S */
static inline void entries_in(const struct rows_of_A *A, uint32_t i, const struct columns *c, scalar_t *to,
                              uint32_t stride)
{
    uint32_t first = A->row[i], last = A->row[i + (size_t)1];
    for (uint32_t k = 0; k < c->count; k++)
        to[k * stride] = 0;
    if (last - first <= 8 * c->count) {
        for (uint32_t e = first; e < last; e++) {
            uint32_t k = columns_find(c, A->col[e]);
            if (k != NO_PLACE)
                to[k * stride] = A->val[e];
        }
        return;
    }
    for (uint32_t k = 0; k < c->count; k++) {
        uint32_t e = first_not_below(A->col, first, last, c->S[k]);
        if (e < last && A->col[e] == c->S[k])
            to[k * stride] = A->val[e];
    }
}

struct row_system {
    scalar_t a[FSAI_MOST][FSAI_MOST]; /* an equation for each column of S */
    scalar_t b[FSAI_MOST], right[FSAI_MOST];
    scalar_t x[FSAI_MOST];
};

static inline uint32_t find_pivot(const struct rows_of_A *A, const struct row_system *t,
                                  const struct columns *c, const bool *used, uint32_t k)
{
    if (A->positive)
        return finite(t->a[k][k]) && real_part(t->a[k][k]) > (real)FSAI_ROUNDING * A->size[c->S[k]]
                   ? k
                   : NO_PLACE;
    uint32_t pivot = NO_PLACE;
    real largest = 0;
    for (uint32_t l = 0; l < c->count; l++) {
        scalar_t v = t->a[l][k];
        real size = v < 0 ? -v : v;
        if (!used[l] && isfinite(size) && size > largest) {
            largest = size;
            pivot = l;
        }
    }
    return pivot;
}

static inline void take_pivot(struct row_system *t, uint32_t n, uint32_t pivot, uint32_t k)
{
    scalar_t *restrict p = t->a[pivot], inverse = divide(1, p[k]);
    for (uint32_t j = k + 1; j < n; j++)
        p[j] = mul(p[j], inverse);
    t->b[pivot] = mul(t->b[pivot], inverse);
    for (uint32_t l = 0; l < n; l++) {
        scalar_t *restrict e = t->a[l], f = e[k];
        if (l == pivot)
            continue;
        for (uint32_t j = k + 1; j < n; j++)
            e[j] -= mul(f, p[j]);
        t->b[l] -= mul(f, t->b[pivot]);
    }
}

static inline bool solution_holds(const struct rows_of_A *A, uint32_t i, const struct columns *c,
                                  const struct row_system *t)
{
    real size = A->size[i], d = size;
    for (uint32_t k = 0; k < c->count; k++) {
        scalar_t x = t->x[k];
        real much = (x < 0 ? -x : x) * A->size[c->S[k]];
        if (!finite(x) || (!A->positive && !(much < (real)FSAI_LARGEST * size)))
            return false;
        d -= real_part(mul(x, t->right[k]));
    }
    return !A->positive || (isfinite(d) && d > (real)FSAI_ROUNDING * size);
}

/* Solves for row i and the columns c, at least one. False: no usable x exists. */
static inline bool solve_row(const struct rows_of_A *A, uint32_t i, const struct columns *c,
                             struct row_system *t)
{
    uint32_t n = c->count, pivots[FSAI_MOST];
    bool used[FSAI_MOST] = {false};
    for (uint32_t q = 0; q < n; q++)
        entries_in(A, c->S[q], c, &t->a[0][q], FSAI_MOST);
    entries_in(A, i, c, t->b, 1);
    for (uint32_t k = 0; k < n; k++)
        t->right[k] = t->b[k] = -t->b[k];
    for (uint32_t k = 0; k < n; k++) {
        pivots[k] = find_pivot(A, t, c, used, k);
        if (pivots[k] == NO_PLACE)
            return false;
        used[pivots[k]] = true;
        take_pivot(t, n, pivots[k], k);
    }
    for (uint32_t k = 0; k < n; k++)
        t->x[k] = t->b[pivots[k]];
    return solution_holds(A, i, c, t);
}

#endif
