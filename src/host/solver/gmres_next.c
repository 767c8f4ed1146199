#include "host/solver/control.h"
#include "host/sum.h"
#include "shaders/solver/cg.h"
#include "shaders/solver/gmres.h"

/* Updates y, and turns v, which holds the last column, into the residual. */
static void combine(const struct gmres_next_args *a, scalar_t *restrict v, uint32_t first, uint32_t length)
{
    uint32_t columns = a->w->combined;
    const scalar_t *y = a->e + (size_t)GMRES_Y * (a->m + 1),
                   *residual = a->e + (size_t)GMRES_RESIDUAL * (a->m + 1);
    for (uint32_t i = 0; i < length; i++)
        v[i] = mul(v[i], residual[columns]);
    for (uint32_t k = 0; k < columns; k++) {
        const scalar_t *restrict q = a->basis + (size_t)k * a->n + first;
        for (uint32_t i = 0; i < length; i++) {
            a->y[first + i] += mul(y[k], q[i]);
            v[i] += mul(residual[k], q[i]);
        }
    }
}

KERNEL(gmres_next)
{
    uint32_t tiles = tiles_of(a->n);
    real inverse = a->w->inverse;
    FOR_TILES (tile, tiles) {
        uint32_t first = tile * TILE, length = tile_length(tile, a->n);
        scalar_t v[TILE];
        for (uint32_t i = 0; i < length; i++)
            v[i] = inverse * a->t[first + i];
        if (a->w->combined)
            combine(a, v, first, length);
        memcpy(a->basis + (size_t)a->w->column * a->n + first, v, length * sizeof *v);
        for (uint32_t i = 0; i < length; i++)
            a->z[first + i] = a->form == FORM_EACH  ? mul(a->d[first + i], v[i])
                              : a->form == FORM_ONE ? mul(*a->d, v[i])
                                                    : v[i];
    }
}
