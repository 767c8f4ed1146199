#include "host/batch/frame.h"
#include "shaders/solver/cg.h"

/* A system, and its parts of the vectors. */
struct iterations {
    struct batch_system A;
    scalar_t *y, *r, *p;
    const scalar_t *d;
    real rho, rr;
    uint32_t limit;
};

/* r . z and r . r, and the state. */
static void sum_residual(struct iterations *t)
{
    scalar_t z[BATCH_ROWS];
    uint32_t n = t->A.n, k = t->A.word[WORD_ITERATION];
    for (uint32_t i = 0; i < n; i++)
        z[i] = mul(t->d[i], t->r[i]);
    t->rho = real_part(batch_dot(t->r, z, n));
    t->rr = t->A.number[NUMBER_RR] = real_part(batch_dot(t->r, t->r, n));
    t->A.word[WORD_STATE] = CG_STATE_AFTER(isfinite(t->rr) && isfinite(t->rho), k, t->limit, t->rho, t->rr,
                                           t->A.number[NUMBER_STOP], (real)BATCH_CEILING);
}

static void iterate(struct iterations *t)
{
    scalar_t q[BATCH_ROWS];
    uint32_t n = t->A.n;
    batch_product(&t->A, t->p, q);
    real pq = real_part(batch_dot(t->p, q, n)), alpha = divide(t->rho, pq), before = t->rho;
    if (!(isfinite(pq) && pq > 0)) {
        t->A.word[WORD_STATE] = isfinite(pq) ? STATE_NOT_POSITIVE : STATE_NOT_FINITE;
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        t->r[i] -= alpha * q[i];
    t->A.word[WORD_ITERATION]++;
    sum_residual(t);
    real step = alpha * t->A.number[NUMBER_SCALE], beta = divide(t->rho, before);
    for (uint32_t i = 0; i < n; i++) {
        t->y[i] += step * t->p[i];
        t->p[i] = mul(t->d[i], t->r[i]) + beta * t->p[i];
    }
}

static void begin(struct iterations *t)
{
    for (uint32_t i = 0; i < t->A.n && t->A.word[WORD_FRESH]; i++)
        t->p[i] = mul(t->d[i], t->r[i]);
    t->A.word[WORD_FRESH] = 0;
    sum_residual(t);
}

KERNEL(batch_cg)
{
    FOR_SYSTEMS(s, a->first, a->end)
    {
        struct iterations t = {.A = BATCH_SYSTEM(a, s), .limit = a->limit};
        if (t.A.word[WORD_ENDED] || t.A.word[WORD_STATE] != STATE_RUNNING)
            continue;
        t.y = a->y + t.A.at;
        t.r = a->r + t.A.at;
        t.p = a->p + t.A.at;
        t.d = a->d + t.A.at;
        begin(&t);
        for (uint32_t turn = 0; turn < a->turns && t.A.word[WORD_STATE] == STATE_RUNNING; turn++)
            iterate(&t);
    }
}
