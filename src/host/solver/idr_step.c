#include "host/solver/idr.h"
#include "shaders/solver/cg.h"

static void column_of(const struct idr_step_args *a, const real *total, real *y)
{
    const struct idr_numbers *w = a->w;
    for (uint32_t i = 0; i < IDR_S; i++) {
        real z = total[i];
        for (uint32_t j = 0; j < (i < a->k ? i : a->k); j++)
            z -= w->m[4 * j + i] * y[j];
        y[i] = i < a->k ? z / w->m[5 * i] : z;
    }
}

static bool is_sound(real pivot, real square, uint32_t n)
{
    real rounding = (real)(sizeof(real) == 8 ? IDR_ROUNDING_64 : IDR_ROUNDING_32);
    return isfinite(pivot) && isfinite(square) && pivot * pivot > (rounding * rounding) * (square * (real)n);
}

static void leave(const struct idr_step_args *a, const real *y, real square, real beta, bool sound)
{
    struct idr_numbers *w = a->w;
    bool is_finite = isfinite(y[a->k]) && isfinite(square);
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
            w->f[i] = w->f[i] - beta * y[i];
    }
    w->fresh = 1;
}

/* v -= y_j times the columns j before k of the array at `columns` */
static void take_off(const struct idr_step_args *a, const real *columns, const real *y, uint32_t first,
                     uint32_t length, real *restrict v)
{
    for (uint32_t i = 0; i < a->k; i++) {
        const real *restrict column = columns + (size_t)i * a->n + first;
        for (uint32_t j = 0; j < length; j++)
            v[j] -= y[i] * column[j];
    }
}

static real step_tile(const struct idr_step_args *a, const real *y, real beta, uint32_t first,
                      uint32_t length)
{
    real *restrict g = a->g + (size_t)a->k * a->n + first, *restrict u = a->u + (size_t)a->k * a->n + first;
    real *restrict r = a->r + first, *restrict x = a->x + first;
    const real *restrict d = a->d;
    take_off(a, a->g, y, first, length, g);
    take_off(a, a->u, y, first, length, u);
    for (uint32_t j = 0; j < length; j++) {
        r[j] -= beta * g[j];
        x[j] += beta * u[j];
    }
    if (a->k == idr_directions(a->n) - 1 && a->form != FORM_GIVEN)
        for (uint32_t j = 0; j < length; j++)
            a->z[first + j] = a->form == FORM_EACH  ? d[first + j] * r[j]
                              : a->form == FORM_ONE ? *d * r[j]
                                                    : r[j];
    return square_sum(r, a->weighted ? a->weight + first : NULL, length);
}

KERNEL(idr_step)
{
    if (!alive(a->c))
        return;
    uint32_t tiles = tiles_of(a->n);
    real total[IDR_S + 1], y[IDR_S], fk = a->w->f[a->k];
    rest_of_rows(a->s + IDR_SHADOW * a->stride, tiles, a->stride, IDR_S + 1, total);
    column_of(a, total, y);
    bool sound = is_sound(y[a->k], total[IDR_S], a->n);
    real beta = fk / y[a->k];
    if (sound)
        FOR_TILES (t, tiles) {
            a->s[t] = step_tile(a, y, beta, t * TILE, tile_length(t, a->n));
        }
    if (!LEADS)
        return;
    if (sound)
        fold_stripes(a->s, tiles);
    leave(a, y, total[IDR_S], beta, sound);
}
