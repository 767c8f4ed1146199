#include "host/kernel.h"

typedef struct matrix2 {
    real at[4];
} item;

static inline item nothing(uint32_t op)
{
    (void)op;
    return (item){{1, 0, 0, 1}};
}

static inline item combine(item a, item b, uint32_t op)
{
    (void)op;
    const real *x = a.at, *y = b.at;
    return (item){{x[0] * y[0] + x[1] * y[2], x[0] * y[1] + x[1] * y[3], x[2] * y[0] + x[3] * y[2],
                   x[2] * y[1] + x[3] * y[3]}};
}

#include "host/primitive/tree.h"

KERNEL(matrix2_product)
{
    uint32_t tiles = tiles_of(a->n);
    item *s = a->s;
    FOR_TILES (t, tiles) {
        uint32_t length = tile_length(t, a->n);
        item v[TILE];
        memcpy(v, a->x + 4 * TILE * (size_t)t, length * sizeof *v);
        s[t] = tile_tree(v, length, 0, NEIGHBOURS);
    }
    if (!LEADS)
        return;
    item product = tree_up(s, tiles, 0, NEIGHBOURS);
    memcpy(a->result, product.at, sizeof product.at);
}
