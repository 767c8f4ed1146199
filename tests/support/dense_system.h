/* A dense system on a device, for the suites of Gauss-Jordan elimination. */
#ifndef VKS_TESTS_DENSE_SYSTEM_H
#define VKS_TESTS_DENSE_SYSTEM_H

#include "tests/support/context.h"
#include "tests/support/data.h"
#include "vksolve/gauss_jordan.h"

struct system {
    vks_context *c;
    enum precision p;
    uint32_t n, m;
    vks_dense *A, *B;
    vks_gauss_jordan_report report;
};

static inline double unit(enum precision p)
{
    return p == PRECISION_F64 ? 0x1p-53 : 0x1p-24;
}

/* A is n x n, B n x m, by rows */
static inline struct system make_system(vks_context *c, enum precision p, uint32_t n, uint32_t m,
                                        const double *A, const double *B)
{
    struct system s = {.c = c, .p = p, .n = n, .m = m};
    vks_precision q = p == PRECISION_F64 ? VKS_F64 : VKS_F32;
    must_work(c, vks_dense_create(c, n, n, n + 3, q, &s.A));
    must_work(c, vks_dense_set(s.A, VKS_F64, A, 0));
    if (m)
        must_work(c, vks_dense_from_array(c, n, m, q, VKS_F64, B, 0, &s.B));
    return s;
}

static inline void system_free(struct system *s)
{
    vks_dense_destroy(s->A);
    vks_dense_destroy(s->B);
    s->A = s->B = NULL;
}

static inline vks_reason run_system(struct system *s, const vks_gauss_jordan_options *o)
{
    must_work(s->c, vks_gauss_jordan_solve(s->A, s->B, o, &s->report));
    return s->report.reason;
}

static inline double *read_rhs(const struct system *s)
{
    double *x = room((size_t)s->n * s->m, sizeof *x);
    must_work(s->c, vks_dense_get(s->B, VKS_F64, x, 0));
    return x;
}

static inline void must_hold_rhs(const struct system *s, const double *want)
{
    OWNED(double) *x = read_rhs(s);
    must_equal(x, want, (size_t)s->n * s->m, "right-hand sides");
}

/* Each x within so many units in the last place of the largest. */
static inline void must_be_near(const struct system *s, const double *want, double units)
{
    double *x = read_rhs(s), largest = 0;
    for (size_t e = 0; e < (size_t)s->n * s->m; e++)
        largest = fmax(largest, fabs(want[e]));
    for (size_t e = 0; e < (size_t)s->n * s->m; e++)
        cr_expect(fabs(x[e] - want[e]) <= 2 * units * unit(s->p) * largest,
                  "element %zu is %.17g instead of %g", e, x[e], want[e]);
    free(x);
}

/* The sign of the permutation i -> (factor i + offset) mod n, by counting inversions. */
static inline int parity(uint32_t n, uint32_t factor, uint32_t offset)
{
    int sign = 1;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < i; k++)
            if ((k * factor + offset) % n > (i * factor + offset) % n)
                sign = -sign;
    return sign;
}

#endif
