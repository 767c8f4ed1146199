#include "host/solver/idr.h"
#include "shaders/solver/cg.h"

static void solve_below(const struct idr_direction_args *a, const scalar_t *f, scalar_t *y)
{
    const struct idr_numbers *w = a->w;
    for (uint32_t i = 0; i < IDR_S; i++) {
        scalar_t z = f[i];
        for (uint32_t j = a->k; j < i; j++)
            z -= mul(w->m[4 * j + i], y[j]);
        y[i] = i < a->k ? 0 : divide(z, w->m[5 * i]);
    }
}

/* Computes U_k of a tile, or v if M is not a diagonal. */
static void direct_tile(const struct idr_direction_args *a, const scalar_t *y, scalar_t omega, uint32_t first,
                        uint32_t length)
{
    scalar_t v[TILE];
    const scalar_t *restrict d = a->d;
    memcpy(v, a->r + first, length * sizeof *v);
    for (uint32_t i = a->k; i < IDR_S; i++) {
        const scalar_t *restrict g = a->g + (size_t)i * a->n + first;
        for (uint32_t j = 0; j < length; j++)
            v[j] -= mul(y[i], g[j]);
    }
    if (a->form == FORM_GIVEN) {
        memcpy(a->v + first, v, length * sizeof *v);
        return;
    }
    for (uint32_t j = 0; j < length; j++)
        v[j] = mul(omega, a->form == FORM_EACH  ? mul(d[first + j], v[j])
                          : a->form == FORM_ONE ? mul(*d, v[j])
                                                : v[j]);
    for (uint32_t i = a->k; i < IDR_S; i++) {
        const scalar_t *restrict u = a->u + (size_t)i * a->n + first;
        for (uint32_t j = 0; j < length; j++)
            v[j] += mul(y[i], u[j]);
    }
    memcpy(a->u + (size_t)a->k * a->n + first, v, length * sizeof *v);
}

static void leave(const struct idr_direction_args *a, const scalar_t *total, const scalar_t *y)
{
    struct idr_numbers *w = a->w;
    for (uint32_t i = 0; i < IDR_S; i++) {
        w->c[i] = y[i];
        if (a->k == 0)
            w->f[i] = total[IDR_SHADOW + i];
    }
    if (a->k == 0)
        w->ended = real_part(total[IDR_RR]);
    idr_decide(a->c, w, a->history, a->kept, real_part(total[IDR_RR]));
}

KERNEL(idr_direction)
{
    const struct idr_numbers *w = a->w;
    uint32_t tiles = tiles_of(a->n);
    scalar_t total[1 + IDR_S], y[IDR_S];
    if (!alive(a->c))
        return;
    rest_of_rows(a->s, tiles, a->stride, a->k == 0 ? 1 + IDR_S : 1, total);
    solve_below(a, a->k == 0 ? total + IDR_SHADOW : w->f, y);
    bool is_best = a->k == 0 && (w->least == 0 || real_part(total[IDR_RR]) < w->least);
    scalar_t omega = w->omega;
    FOR_TILES (t, tiles) {
        uint32_t first = t * TILE, length = tile_length(t, a->n);
        direct_tile(a, y, omega, first, length);
        if (is_best)
            memcpy(a->best + first, a->x + first, length * sizeof *a->x);
    }
    if (LEADS)
        leave(a, total, y);
}
