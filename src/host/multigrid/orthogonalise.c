#include "host/sum.h"

#define LOST ((real)1e-10)

/* The rows of an aggregate in T: `size` for each of its nodes. */
struct aggregate {
    const uint32_t *node;
    uint32_t nodes, size, columns;
    real *t;
};

/* Row c of the node at index `place` in the list. */
static real *row_of(const struct aggregate *g, uint32_t place, uint32_t c)
{
    return g->t + ((size_t)g->node[place] * g->size + c) * g->columns;
}

/* v over the rows of an aggregate */
#define FOR_ROWS(v, g)                                                                               \
    for (uint32_t place_ = 0; place_ < (g)->nodes; place_++)                                         \
        for (real *v = row_of(g, place_, 0), *end_ = v + (size_t)(g)->size * (g)->columns; v < end_; \
             v += (g)->columns)

static void copy_rows(const struct aggregate *g, const real *b)
{
    FOR_ROWS(v, g)
    {
        memcpy(v, b + (v - g->t), g->columns * sizeof *v);
    }
}

/* The dot product of columns i and k. */
static real product(const struct aggregate *g, uint32_t i, uint32_t k)
{
    real lane[32] = {0};
    uint32_t l = 0;
    FOR_ROWS(v, g)
    {
        lane[l] += v[i] * v[k];
        l = (l + 1) % 32;
    }
    return tile_lanes(lane);
}

/* Subtracts s times column i from column k. */
static void take(const struct aggregate *g, uint32_t i, uint32_t k, real s)
{
    FOR_ROWS(v, g)
    {
        v[k] -= s * v[i];
    }
}

/* Divides column k by its norm; if the norm is zero, sets the column to zero. */
static void normalise(const struct aggregate *g, uint32_t k, real norm)
{
    real s = norm > 0 ? 1 / norm : 0;
    FOR_ROWS(v, g)
    {
        v[k] = norm > 0 ? v[k] * s : 0;
    }
}

/* Computes column k of Q and of R; rows of R have g->columns elements. */
static void orthogonalise(const struct aggregate *g, uint32_t k, real *r)
{
    real before = product(g, k, k);
    for (uint32_t i = 0; i < g->columns; i++)
        r[(size_t)i * g->columns + k] = 0;
    for (uint32_t turn = 0; turn < 2 * k; turn++) {
        uint32_t i = turn % k;
        real s = product(g, i, k);
        take(g, i, k, s);
        r[(size_t)i * g->columns + k] += s;
    }
    real after = product(g, k, k);
    real norm = after > LOST * before ? ROOT(after) : 0;
    normalise(g, k, norm);
    r[(size_t)k * g->columns + k] = norm;
}

KERNEL(orthogonalise)
{
    TEAM_FOR(me, i, a->aggregates, 16, 4)
    {
        const uint32_t *offset = a->offset + i;
        struct aggregate g = {a->node + offset[0], offset[1] - offset[0], a->size, a->columns, a->t};
        copy_rows(&g, a->b);
        for (uint32_t k = 0; k < a->columns; k++)
            orthogonalise(&g, k, a->coarse + (size_t)i * a->columns * a->columns);
    }
}
