#include "host/solver/bicgstab.h"

/* Replaces the right sides in q by the solution of the triangular systems. */
static void substitute_back(scalar_t l[BICGSTAB_L][BICGSTAB_L], const real *d, scalar_t *q)
{
    for (uint32_t i = BICGSTAB_L; i-- > 0;) {
        scalar_t e = d[i] != 0 ? divide(q[i], d[i]) : 0;
        for (uint32_t k = i + 1; k < BICGSTAB_L; k++)
            e -= d[i] != 0 ? mul(conj(l[k][i]), q[k]) : 0;
        q[i] = e;
    }
}

static void least_squares(const scalar_t *g, scalar_t *q)
{
    real rounding = (real)(sizeof(real) == 8 ? BICGSTAB_ROUNDING_64 : BICGSTAB_ROUNDING_32);
    scalar_t l[BICGSTAB_L][BICGSTAB_L];
    real d[BICGSTAB_L];
    for (uint32_t i = 0; i < BICGSTAB_L; i++) {
        real square = real_part(g[BICGSTAB_PLACE(i + 1, i + 1)]), pivot = square;
        scalar_t right = conj(g[i + 1]), row[BICGSTAB_L];
        for (uint32_t j = 0; j < i; j++) {
            scalar_t e = conj(g[BICGSTAB_PLACE(j + 1, i + 1)]);
            for (uint32_t k = 0; k < j; k++)
                e -= mul(row[k], conj(l[j][k]));
            row[j] = e;
            l[i][j] = d[j] != 0 ? divide(e, d[j]) : 0;
            pivot -= real_part(mul(e, conj(l[i][j])));
            right -= mul(l[i][j], q[j]);
        }
        d[i] = pivot > rounding * square ? pivot : 0;
        q[i] = d[i] != 0 ? right : 0;
    }
    substitute_back(l, d, q);
}

static void end_tile(const struct bicgstab_end_args *a, const scalar_t *q, uint32_t first, uint32_t length)
{
    scalar_t *restrict r = a->r + first, *restrict u = a->u + first, *restrict y = a->y + first;
    for (uint32_t i = 0; i < length; i++) {
        scalar_t e = r[i], b = u[i], c = y[i], before = e;
        for (uint32_t k = 0; k < BICGSTAB_L; k++) {
            scalar_t next = a->rest[(size_t)k * a->n + first + i];
            c += mul(q[k], before);
            e -= mul(q[k], next);
            b -= mul(q[k], a->u[(size_t)(k + 1) * a->n + first + i]);
            before = next;
        }
        r[i] = e;
        u[i] = b;
        y[i] = c;
    }
}

KERNEL(bicgstab_end)
{
    if (!alive(a->c))
        return;
    uint32_t tiles = tiles_of(a->n);
    scalar_t total[BICGSTAB_PRODUCTS], q[BICGSTAB_L];
    rest_of_rows(a->s + BICGSTAB_GRAM * a->stride, tiles, a->stride, BICGSTAB_PRODUCTS, total);
    least_squares(total, q);
    bool sound = finite(q[0]) && finite(q[1]) && finite(q[2]) && finite(q[3]);
    if (sound)
        FOR_TILES (t, tiles) {
            uint32_t first = t * TILE, length = tile_length(t, a->n);
            end_tile(a, q, first, length);
            a->s[BICGSTAB_RHO * a->stride + t] = tile_dot(a->shadow + first, a->r + first, length);
            a->s[BICGSTAB_RR * a->stride + t] =
                square_sum(a->r + first, a->weighted ? a->weight + first : NULL, length);
        }
    if (!LEADS)
        return;
    if (sound)
        fold_rows(a->s, tiles, a->stride, 2);
    a->w->omega = q[BICGSTAB_L - 1];
    a->w->fresh = sound;
    if (!sound)
        a->c->state = STATE_NOT_FINITE;
}
