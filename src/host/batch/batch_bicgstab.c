#include "host/batch/method.h"
#include "shaders/batch/bicgstab.h"

static void sum_residual(struct iterations *t, real omega)
{
    t->rho = real_part(batch_dot(t->shadow, t->r, t->A.n));
    t->rr = real_part(batch_dot(t->r, t->r, t->A.n));
    t->state = BICGSTAB_STATE_AFTER(isfinite(t->rr) && isfinite(t->rho), t->k, t->limit, t->rho, omega, t->rr,
                                    t->stop, (real)BATCH_CEILING);
}

static void begin(struct iterations *t, bool is_fresh)
{
    t->shadow += t->A.at;
    if (is_fresh) {
        memcpy(t->p, t->r, t->A.n * sizeof *t->p);
        memcpy(t->shadow, t->r, t->A.n * sizeof *t->p);
    }
    sum_residual(t, 1);
}

/* q = A M^-1 v */
static void product(const struct iterations *t, const scalar_t *v, scalar_t *q)
{
    scalar_t z[BATCH_ROWS];
    for (uint32_t i = 0; i < t->A.n; i++)
        z[i] = mul(t->d[i], v[i]);
    batch_product(&t->A, z, q);
}

/* y += scale (alpha M^-1 p + omega M^-1 r), r -= omega of_r */
static void lower(struct iterations *t, real alpha, real omega, const scalar_t *of_r)
{
    real of_p = alpha * t->scale, of_y = omega * t->scale;
    for (uint32_t i = 0; i < t->A.n; i++) {
        t->y[i] = (t->y[i] + of_p * mul(t->d[i], t->p[i])) + of_y * mul(t->d[i], t->r[i]);
        t->r[i] -= omega * of_r[i];
    }
}

static void step(struct iterations *t)
{
    scalar_t a_p[BATCH_ROWS], a_r[BATCH_ROWS];
    uint32_t n = t->A.n;
    product(t, t->p, a_p);
    real divisor = real_part(batch_dot(t->shadow, a_p, n)), alpha = divide(t->rho, divisor), before = t->rho;
    if (!isfinite(divisor) || divisor == 0) {
        t->state = isfinite(divisor) ? STATE_BREAKDOWN : STATE_NOT_FINITE;
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        t->r[i] -= alpha * a_p[i];
    product(t, t->r, a_r);
    real along = real_part(batch_dot(a_r, t->r, n)), square = real_part(batch_dot(a_r, a_r, n)),
         omega = square > 0 ? divide(along, square) : 0;
    lower(t, alpha, omega, a_r);
    t->k++;
    sum_residual(t, omega);
    real beta = divide(t->rho, before) * divide(alpha, omega);
    for (uint32_t i = 0; i < n; i++)
        t->p[i] = t->r[i] + beta * (t->p[i] - omega * a_p[i]);
}

KERNEL(batch_bicgstab)
{
    FOR_SYSTEMS(s, a->first, a->end)
    {
        struct iterations t = ITERATIONS(a, s);
        t.shadow = a->shadow;
        batch_iterate(&t, a->turns, begin, step);
    }
}
