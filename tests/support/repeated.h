/* A system and a solver for it, whose solves are compared with those of vks_solve. */
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

static inline void repeated_free(struct repeated *r)
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
    OWNED(double) *x = room(n, 8), *y = room(n, 8);
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
}

/* Solves the system by both, from the present x; returns the report. */
static inline vks_solve_report solve_twice(const struct repeated *r)
{
    vks_solve_report got, want;
    must_work(r->c, vks_vector_copy(r->x, r->want));
    must_work(r->c, vks_solve(r->A, r->b, r->want, &r->options, &want));
    must_work(r->c, vks_solver_solve(r->solver, r->b, r->x, &got));
    must_be_same(r, &got, &want);
    return got;
}

static inline void set_b(const struct repeated *r, double factor)
{
    OWNED(double) *b = room(N, 8);
    for (int i = 0; i < N; i++)
        b[i] = factor * r->b0[i] + i % 3;
    must_work(r->c, vks_vector_write(r->b, 0, N, VKS_F64, b));
}

/* Positive definite if `shift` is not negative. */
static inline void set_values(const struct repeated *r, double shift)
{
    uint32_t n = r->host.rows;
    OWNED(double) *val = room(r->host.row[n], 8);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = r->host.row[i]; k < r->host.row[i + 1]; k++)
            val[k] = r->host.val[k] + (r->host.col[k] == i ? shift * (1 + i % 5) : 0);
    must_work(r->c, vks_matrix_set_values(r->A, VKS_F64, val));
}

/* Solves again, with other right-hand sides, other values, and both. */
static inline void go_on_with(struct repeated r)
{
    vks_solve_report first = solve_twice(&r), again = solve_twice(&r);
    cr_expect_gt(first.iterations, 4, "a solve of %u iterations shows little", first.iterations);
    cr_expect_eq(again.iterations, 0, "it starts from the x that it is given");
    cr_expect_gt(first.seconds_setup, again.seconds_setup);
    for (int step = 1; step <= 4; step++) {
        set_b(&r, step);
        if (step % 2 == 0)
            set_values(&r, step);
        cr_expect_eq(solve_twice(&r).reason, VKS_REASON_CONVERGED);
    }
    repeated_free(&r);
}

#endif
