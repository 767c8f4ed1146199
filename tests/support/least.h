/* Least squares by LSMR: systems of any shape, solves with every report checked, and LSMR as in the paper. */
#ifndef VKS_TESTS_LEAST_H
#define VKS_TESTS_LEAST_H

#include "tests/support/solve.h"

/* A x = b, A m x n of precision p, from x0 (NULL: zero). */
struct least {
    const struct host_csr *A;
    const double *b, *x0;
    enum precision p;
    vks_solve_options options;
};

/* ||A^T r|| / (||A||_F ||r||) in long double. */
static inline double precise_normal(const struct host_csr *A, const double *x, const double *b)
{
    long double *g = calloc(A->cols + 1, sizeof *g), rr = 0, aa = 0, gg = 0;
    for (uint32_t i = 0; i < A->rows; i++) {
        long double r = b[i];
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            r -= (long double)A->val[k] * x[A->col[k]];
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++) {
            g[A->col[k]] += A->val[k] * r;
            aa += (long double)A->val[k] * A->val[k];
        }
        rr += r * r;
    }
    for (uint32_t j = 0; j < A->cols; j++)
        gg += g[j] * g[j];
    free(g);
    return gg > 0 ? (double)sqrtl(gg / aa / rr) : 0;
}

static inline void check_least(const struct least *q, const struct solved *s)
{
    const vks_solve_report *r = &s->report;
    struct problem plain = {.A = q->A, .b = q->b, .p = q->p, .options = q->options};
    double slack = residual_slack(&plain, s->x), own = precise_residual(q->A, s->x, q->b);
    double normal = precise_normal(q->A, s->x, q->b), rtol = tolerance(&plain);
    cr_assert_eq(r->method, VKS_METHOD_LSMR);
    cr_assert(fabs(r->true_residual - own) <= 1e-9 * own + slack, "the residual is %g, %g was reported", own,
              r->true_residual);
    if (r->true_residual > 1e6 * slack) /* otherwise A^T r is rounding */
        cr_assert(fabs(r->normal_residual - normal) <= 1e-6 * normal + 1e3 * slack / own,
                  "A^T r is %g, %g was reported", normal, r->normal_residual);
    if (r->reason != VKS_REASON_CONVERGED)
        cr_assert(r->least_squares == 0 && own > rtol - slack, "%s at a residual of %g",
                  vks_reason_name(r->reason), own);
    else if (r->least_squares)
        cr_assert(own > rtol && normal <= rtol * 1.001 && strstr(r->detail, "least-squares"));
    else
        cr_assert(own <= rtol + slack, "converged at a residual of %g", own);
}

static inline vks_matrix *least_matrix(vks_context *c, const struct host_csr *A, enum precision p)
{
    vks_matrix_options o = {.precision = p == PRECISION_MIXED ? VKS_MIXED : public_precision(p)};
    vks_matrix *m = NULL;
    must_work(c, vks_matrix_from_csr(c, A->rows, A->cols, A->row, A->col, A->val, &o, &m));
    return m;
}

static inline struct solved solve_least(vks_context *c, const struct least *q)
{
    struct solved s = {.x = room(q->A->cols, 8), .history = room(q->options.history_capacity, 8)};
    vks_solve_options o = q->options;
    o.method = q->A->rows == q->A->cols ? VKS_METHOD_LSMR : VKS_METHOD_AUTO;
    o.history = o.history_capacity ? s.history : NULL;
    vks_matrix *A = least_matrix(c, q->A, q->p);
    vks_vector *b = vector_of(c, q->p, q->b, q->A->rows), *x = vector_of(c, q->p, q->x0, q->A->cols);
    must_work(c, vks_solve(A, b, x, &o, &s.report));
    must_work(c, vks_vector_read(x, 0, q->A->cols, VKS_F64, s.x));
    guards_check(c->device);
    vks_vector_destroy(x);
    vks_vector_destroy(b);
    vks_matrix_destroy(A);
    if (s.report.reason != VKS_REASON_NOT_FINITE)
        check_least(q, &s);
    return s;
}

/* m x n, up to seven entries a row, each column scaled by a power of two up to 2^+-range. */
static inline struct host_csr random_least(enum precision p, uint32_t m, uint32_t n, int range, uint64_t seed)
{
    struct host_csr A = random_csr(p, m, n, n < 7 ? n : 7, seed);
    for (uint32_t k = 0; k < A.row[m]; k++)
        A.val[k] = ldexp((double)((float)A.val[k]) / (1 + fabs((float)A.val[k])) + 0.25,
                         (int)(A.col[k] * 7 % (2u * (uint32_t)range + 1)) - range);
    for (uint32_t k = 0; k < A.row[m]; k++)
        A.val[k] = rounded(PRECISION_F32, A.val[k]);
    return A;
}

/* b = A x for a random x, plus `noise` times random elements. */
static inline double *least_right(const struct host_csr *A, enum precision p, double noise, uint64_t seed)
{
    double *x = random_vector(PRECISION_F32, A->cols, 1, seed), *b = room(A->rows, 8);
    OWNED(double) *e = random_vector(PRECISION_F32, A->rows, 1, seed + 1);
    host_multiply(A, x, b);
    for (uint32_t i = 0; i < A->rows; i++)
        b[i] = rounded(p, b[i] + noise * e[i]);
    free(x);
    return b;
}

#endif
