#include "host/solver/idr.h"
#include "shaders/solver/cg.h"

static void column_of(const struct idr_step_args *a, const scalar_t *total, scalar_t *y)
{
    const struct idr_numbers *w = a->w;
    for (uint32_t i = 0; i < IDR_S; i++) {
        scalar_t z = total[i];
        for (uint32_t j = 0; j < (i < a->k ? i : a->k); j++)
            z -= mul(w->m[4 * j + i], y[j]);
        y[i] = i < a->k ? divide(z, w->m[5 * i]) : z;
    }
}

static bool is_sound(scalar_t pivot, real square, uint32_t n)
{
    real rounding = (real)(sizeof(real) == 8 ? IDR_ROUNDING_64 : IDR_ROUNDING_32);
    return finite(pivot) && finite(square) &&
           magnitude_squared(pivot) > (rounding * rounding) * (square * (real)n);
}

static void leave(const struct idr_step_args *a, const scalar_t *y, real square, scalar_t beta, bool sound)
{
    struct idr_numbers *w = a->w;
    bool is_finite = finite(y[a->k]) && finite(square);
    w->pivot = y[a->k];
    w->square = square;
    if (a->k == 0 && (w->least == 0 || w->ended < w->least))
        w->least = w->ended;
    if (!sound) {
        w->fault = is_finite ? IDR_NO_PIVOT : IDR_SOUND;
        a->c->state = is_finite ? STATE_BREAKDOWN : STATE_NOT_FINITE;
        return;
    }
    for (uint32_t i = a->k; i < IDR_S; i++) {
        w->m[4 * a->k + i] = y[i];
        if (i > a->k)
            w->f[i] = w->f[i] - mul(beta, y[i]);
    }
    w->fresh = 1;
}

/* v -= y_j times the columns j before k of the array at `columns` */
static void take_off(const struct idr_step_args *a, const scalar_t *columns, const scalar_t *y,
                     uint32_t first, uint32_t length, scalar_t *restrict v)
{
    for (uint32_t i = 0; i < a->k; i++) {
        const scalar_t *restrict column = columns + (size_t)i * a->n + first;
        for (uint32_t j = 0; j < length; j++)
            v[j] -= mul(y[i], column[j]);
    }
}

static scalar_t step_tile(const struct idr_step_args *a, const scalar_t *y, scalar_t beta, uint32_t first,
                          uint32_t length)
{
    scalar_t *restrict g = a->g + (size_t)a->k * a->n + first, *restrict u =
                                                                   a->u + (size_t)a->k * a->n + first;
    scalar_t *restrict r = a->r + first, *restrict x = a->x + first;
    const scalar_t *restrict d = a->d;
    take_off(a, a->g, y, first, length, g);
    take_off(a, a->u, y, first, length, u);
    for (uint32_t j = 0; j < length; j++) {
        r[j] -= mul(beta, g[j]);
        x[j] += mul(beta, u[j]);
    }
    if (a->k == idr_directions(a->n) - 1 && a->form != FORM_GIVEN)
        for (uint32_t j = 0; j < length; j++)
            a->z[first + j] = a->form == FORM_EACH  ? mul(d[first + j], r[j])
                              : a->form == FORM_ONE ? mul(*d, r[j])
                                                    : r[j];
    return square_sum(r, a->weighted ? a->weight + first : NULL, length);
}

KERNEL(idr_step)
{
    if (!alive(a->c))
        return;
    uint32_t tiles = tiles_of(a->n);
    scalar_t total[IDR_S + 1], y[IDR_S], fk = a->w->f[a->k];
    rest_of_rows(a->s + IDR_SHADOW * a->stride, tiles, a->stride, IDR_S + 1, total);
    column_of(a, total, y);
    bool sound = is_sound(y[a->k], real_part(total[IDR_S]), a->n);
    scalar_t beta = divide(fk, y[a->k]);
    if (sound)
        FOR_TILES (t, tiles) {
            a->s[t] = step_tile(a, y, beta, t * TILE, tile_length(t, a->n));
        }
    if (!LEADS)
        return;
    if (sound)
        fold_stripes(a->s, tiles);
    leave(a, y, real_part(total[IDR_S]), beta, sound);
}
