/* A system, a solver for it, and where its solves are compared with those of vks_solve. */
#ifndef VKS_TESTS_REPEATED_H
#define VKS_TESTS_REPEATED_H

#include "small_matrix.h"
#include "tests/support/solve.h"

enum { N = 700 };

struct repeated {
    vks_context *c;
    struct host_csr host;
    double *b0;
    vks_matrix *A;
    vks_vector *b, *x, *want;
    vks_solve_options options;
    vks_solver *solver;
};

static inline struct repeated make_repeated_of(vks_context *c, struct host_csr host,
                                               vks_matrix_options storage, vks_solve_options options)
{
    struct repeated r = {.c = c, .host = host, .options = options};
    uint32_t n = r.host.rows;
    vks_precision p = storage.precision == VKS_F32 ? VKS_F32 : VKS_F64;
    r.b0 = random_vector(PRECISION_F32, n, 2, 5);
    must_work(c, vks_matrix_from_csr(c, n, n, r.host.row, r.host.col, r.host.val, &storage, &r.A));
    r.b = vector_of(c, precision_of(p), r.b0, n);
    r.x = vector_of(c, precision_of(p), NULL, n);
    r.want = vector_of(c, precision_of(p), NULL, n);
    must_work(c, vks_solver_create(r.A, &options, &r.solver));
    return r;
}

static inline struct repeated make_repeated(vks_context *c, vks_matrix_options storage,
                                            vks_solve_options options)
{
    return make_repeated_of(c, random_spd(PRECISION_F64, N, 3), storage, options);
}

static inline void free_repeated(struct repeated *r)
{
    vks_solver_destroy(r->solver);
    vks_vector_destroy(r->want);
    vks_vector_destroy(r->x);
    vks_vector_destroy(r->b);
    vks_matrix_destroy(r->A);
    free(r->b0);
    host_csr_free(&r->host);
}

static inline void must_be_same(const struct repeated *r, const vks_solve_report *got,
                                const vks_solve_report *want)
{
    uint32_t n = r->host.rows;
    double *x = room(n, 8), *y = room(n, 8);
    must_work(r->c, vks_vector_read(r->x, 0, n, VKS_F64, x));
    must_work(r->c, vks_vector_read(r->want, 0, n, VKS_F64, y));
    must_equal(x, y, n, "x");
    cr_expect_eq(got->reason, want->reason, "%s: %s", vks_reason_name(got->reason), got->detail);
    cr_expect_eq(got->iterations, want->iterations, "%u, %u", got->iterations, want->iterations);
    cr_expect_eq(got->restarts, want->restarts);
    cr_expect_eq(got->refinements, want->refinements);
    cr_expect_eq(got->row, want->row);
    cr_expect_str_eq(got->detail, want->detail);
    cr_expect_str_eq(got->warning, want->warning);
    cr_expect(same_bits(got->true_residual, want->true_residual));
    cr_expect(same_bits(got->weight, want->weight));
    cr_expect_eq(got->blocks, want->blocks);
    free(x);
    free(y);
}

/* The system once by either, from where x is; gives the report back. */
static inline vks_solve_report solve_twice(const struct repeated *r)
{
    vks_solve_report got, want;
    must_work(r->c, vks_vector_copy(r->x, r->want));
    must_work(r->c, vks_solve(r->A, r->b, r->want, &r->options, &want));
    must_work(r->c, vks_solver_solve(r->solver, r->b, r->x, &got));
    must_be_same(r, &got, &want);
    return got;
}

#endif
