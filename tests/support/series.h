/* Solves with multigrid while the values of A change. */
#ifndef VKS_TESTS_SERIES_H
#define VKS_TESTS_SERIES_H

#include "tests/support/multigrid_models.h"
#include "tests/support/nodes.h"

/* Solves with one solver, each with its own values. */
struct series {
    vks_context *c;
    enum precision p;
    uint32_t n;
    double *b;
    vks_matrix *A;
    vks_solver *solver;
    vks_vector *right, *x;
};

static inline struct series begin_series(vks_context *c, const struct host_csr *A, enum precision p,
                                         const vks_precond_options *M)
{
    struct series s = {.c = c, .p = p, .n = A->rows, .b = random_vector(PRECISION_F32, A->rows, 2, 5)};
    vks_solve_options o = {.precond_options = M, .rtol = p == PRECISION_F32 ? 1e-4 : 1e-8, .zero_guess = 1};
    s.A = put_on(c, A, p, VKS_FORMAT_AUTO);
    s.right = vector_of(c, p, s.b, s.n);
    s.x = vector_of(c, p, NULL, s.n);
    must_work(c, vks_solver_create(s.A, &o, &s.solver));
    return s;
}

static inline void series_free(struct series *s)
{
    vks_solver_destroy(s->solver);
    vks_vector_destroy(s->x);
    vks_vector_destroy(s->right);
    vks_matrix_destroy(s->A);
    free(s->b);
}

/* Solves with the values of A. */
static inline uint32_t solve_next(struct series *s, const struct host_csr *A, double *x)
{
    vks_solve_report r;
    must_work(s->c, vks_matrix_set_values(s->A, VKS_F64, A->val));
    must_work(s->c, vks_solver_solve(s->solver, s->right, s->x, &r));
    cr_expect_eq(r.reason, VKS_REASON_CONVERGED, "%s: %s", vks_reason_name(r.reason), r.detail);
    must_work(s->c, vks_vector_read(s->x, 0, s->n, VKS_F64, x));
    return r.iterations;
}

#endif
