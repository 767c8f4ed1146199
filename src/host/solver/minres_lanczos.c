#include "host/solver/control.h"
#include "host/sum.h"
#include "shaders/solver/cg.h"
#include "shaders/solver/minres.h"

struct factors {
    real over, a, b;
};

/* Computes v' and z' of a tile; returns the sum of v' . z'. */
static scalar_t lanczos_tile(const struct minres_lanczos_args *a, const struct factors *by, uint32_t first,
                             uint32_t length)
{
    scalar_t terms[TILE], made[TILE], *restrict y = a->form == FORM_GIVEN ? made : a->z + first;
    scalar_t *restrict old = a->old + first;
    const scalar_t *restrict v = a->v + first, *restrict q = a->q + first, *restrict d = a->d;
    for (uint32_t j = 0; j < length; j++)
        old[j] = by->over * q[j] - by->a * v[j] - by->b * old[j];
    for (uint32_t j = 0; j < length; j++)
        y[j] = a->form == FORM_EACH  ? mul(d[first + j], old[j])
               : a->form == FORM_ONE ? mul(*d, old[j])
                                     : old[j];
    for (uint32_t j = 0; j < length; j++)
        terms[j] = mul(conj(old[j]), y[j]);
    return tile_sum(terms, length);
}

KERNEL(minres_lanczos)
{
    struct minres_numbers *w = a->w;
    const struct minres_turn *t = &w->turn[a->turn];
    uint32_t tiles = tiles_of(a->n);
    scalar_t *vz = a->s + MINRES_VZ * a->stride;
    bool is_alive = alive(a->c);
    real qz = real_part(a->striped ? rest_of_stripes(a->s, tiles) : rest_of_tiles(a->s, tiles));
    real over = 1 / t->gamma, delta = (qz * over) * over;
    struct factors by = {over, delta * over, t->gamma / t->gamma_old};
    if (is_alive)
        FOR_TILES (k, tiles) {
            vz[k] = lanczos_tile(a, &by, k * TILE, tile_length(k, a->n));
        }
    if (!LEADS)
        return;
    if (is_alive)
        fold_stripes(vz, tiles);
    w->pending = is_alive;
    w->delta = delta;
}
