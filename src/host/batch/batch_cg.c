#include "host/batch/method.h"
#include "shaders/solver/cg.h"

static void sum_residual(struct iterations *t)
{
    scalar_t z[BATCH_ROWS];
    for (uint32_t i = 0; i < t->A.n; i++)
        z[i] = mul(t->d[i], t->r[i]);
    t->rho = real_part(batch_dot(t->r, z, t->A.n));
    t->rr = real_part(batch_dot(t->r, t->r, t->A.n));
    t->state = CG_STATE_AFTER(isfinite(t->rr) && isfinite(t->rho), t->k, t->limit, t->rho, t->rr, t->stop,
                              (real)BATCH_CEILING);
}

static void begin(struct iterations *t, bool is_fresh)
{
    for (uint32_t i = 0; i < t->A.n && is_fresh; i++)
        t->p[i] = mul(t->d[i], t->r[i]);
    sum_residual(t);
}

static void step(struct iterations *t)
{
    scalar_t q[BATCH_ROWS];
    uint32_t n = t->A.n;
    batch_product(&t->A, t->p, q);
    real pq = real_part(batch_dot(t->p, q, n)), alpha = divide(t->rho, pq), before = t->rho;
    if (!(isfinite(pq) && pq > 0)) {
        t->state = isfinite(pq) ? STATE_NOT_POSITIVE : STATE_NOT_FINITE;
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        t->r[i] -= alpha * q[i];
    t->k++;
    sum_residual(t);
    real of_y = alpha * t->scale, beta = divide(t->rho, before);
    for (uint32_t i = 0; i < n; i++) {
        t->y[i] += of_y * t->p[i];
        t->p[i] = mul(t->d[i], t->r[i]) + beta * t->p[i];
    }
}

KERNEL(batch_cg)
{
    FOR_SYSTEMS(s, a->first, a->end)
    {
        struct iterations t = ITERATIONS(a, s);
        batch_iterate(&t, a->turns, begin, step);
    }
}
