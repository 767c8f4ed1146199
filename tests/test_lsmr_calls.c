/* LSMR through all calls that accept it: kept solvers with new values, devices without 64-bit floats, and
 * refusals. */
#include "small_matrix.h"
#include "tests/support/least.h"
#include "tests/support/operator.h"
#include "vksolve/kept_solver.h"
#include "vksolve/precond.h"

enum { ROWS = 300, COLS = 60 };

struct system {
    struct host_csr host;
    vks_matrix *A;
    vks_vector *b, *x;
    double *right;
    enum precision p;
};

static struct system make_system(vks_context *c, enum precision p)
{
    struct system t = {.host = random_least(p, ROWS, COLS, 2, 21), .p = p};
    t.right = least_right(&t.host, p, 0.5, 8);
    t.A = least_matrix(c, &t.host, p);
    t.b = vector_of(c, p, t.right, ROWS);
    t.x = vector_of(c, p, NULL, COLS);
    return t;
}

static void system_free(struct system *t)
{
    vks_vector_destroy(t->x);
    vks_vector_destroy(t->b);
    vks_matrix_destroy(t->A);
    host_csr_free(&t->host);
    free(t->right);
}

/* Must have the bits of a solve that keeps nothing. */
static void must_be_fresh(vks_context *c, const struct system *t, const vks_solve_report *r)
{
    double x[COLS];
    struct least q = {&t->host, t->right, NULL, t->p, {.zero_guess = 1}};
    OWNED_STRUCT(solved) s = solve_least(c, &q);
    must_work(c, vks_vector_read(t->x, 0, COLS, VKS_F64, x));
    cr_assert_eq(r->reason, VKS_REASON_CONVERGED);
    cr_assert_eq(r->least_squares, 1);
    cr_assert_eq(r->iterations, s.report.iterations);
    cr_assert(same_bits(r->normal_residual, s.report.normal_residual));
    must_equal(x, s.x, COLS, "x of a kept solver");
}

TestEverywhere(lsmr_calls, kept_solvers_take_new_values)
{
    OWNED_STRUCT(system) t = make_system(c, p);
    OWNED(vks_solver) *v = NULL;
    vks_solve_report r;
    must_work(c, vks_solver_create(t.A, &(vks_solve_options){.zero_guess = 1}, &v));
    for (int turn = 0; turn < 3; turn++) {
        must_work(c, vks_solver_solve(v, t.b, t.x, &r));
        must_be_fresh(c, &t, &r);
        for (uint32_t k = 0; k < t.host.row[ROWS]; k++) /* columns change their norms */
            t.host.val[k] *= t.host.col[k] % 3 == 0 ? 8 : -1;
        must_work(c, vks_matrix_set_values(t.A, VKS_F64, t.host.val));
    }
}

TestOnHost(lsmr_calls, a_kept_solver_takes_another_tolerance)
{
    OWNED_STRUCT(system) t = make_system(c, PRECISION_F64);
    OWNED(vks_solver) *v = NULL;
    vks_solve_report loose, tight;
    must_work(c, vks_solver_create(t.A, &(vks_solve_options){.zero_guess = 1, .rtol = 1e-3}, &v));
    must_work(c, vks_solver_solve(v, t.b, t.x, &loose));
    must_work(c, vks_solver_set_limits(v, 1e-12, 0, 0));
    must_work(c, vks_solver_solve(v, t.b, t.x, &tight));
    cr_expect(loose.least_squares && tight.least_squares);
    cr_expect_leq(tight.normal_residual, 1e-12);
    cr_expect_gt(tight.iterations, loose.iterations);
}

TestOnHost(lsmr_calls, mixed_matrices_have_the_bits_of_doubles)
{
    OWNED_STRUCT(system) t = make_system(c, PRECISION_F64);
    struct least q = {&t.host, t.right, NULL, PRECISION_F64, {.zero_guess = 1}};
    OWNED_STRUCT(solved) wide = solve_least(c, &q);
    q.p = PRECISION_MIXED; /* the values are those of f32 */
    OWNED_STRUCT(solved) narrow = solve_least(c, &q);
    must_match(&wide, &narrow, COLS, "mixed");
}

/* The host then computes the residuals, with the same bits, for either shape. */
Test(lsmr_calls, solve_on_devices_without_doubles)
{
    for (int wide = 0; wide < 2; wide++) {
        OWNED(vks_context) *c = open_gpu();
        OWNED_STRUCT(host_csr) A = random_least(PRECISION_F32, wide ? COLS : ROWS, wide ? ROWS : COLS, 0, 5);
        OWNED(double) *b = least_right(&A, PRECISION_F32, 1, 8);
        struct least q = {
            &A, b, NULL, PRECISION_F32, {.rtol = 1e-4, .zero_guess = 1, .max_iterations = 2000}};
        OWNED_STRUCT(solved) with = solve_least(c, &q);
        bool f64 = c->device->info.f64;
        c->device->info.f64 = false;
        OWNED_STRUCT(solved) without = solve_least(c, &q);
        c->device->info.f64 = f64;
        must_end(&with, VKS_REASON_CONVERGED);
        must_match(&with, &without, A.cols, "without doubles");
        cr_expect(same_bits(with.report.normal_residual, without.report.normal_residual));
    }
}

TestOnHost(lsmr_calls, refuse_what_lsmr_does_not_take)
{
    OWNED_STRUCT(system) t = make_system(c, PRECISION_F64);
    const vks_precond_options inner = {.kind = VKS_PRECOND_INNER, .method = VKS_METHOD_LSMR};
    const vks_vector *null_space[] = {t.x};
    const struct {
        vks_solve_options o;
        const char *why;
    } refused[] = {{{.method = VKS_METHOD_CG}, "A is 300 x 60; a solve needs a square matrix"},
                   {{.method = VKS_METHOD_IDR}, "a solve needs a square matrix"},
                   {{.method = VKS_METHOD_GAUSS_JORDAN}, "a solve needs a square matrix"},
                   {{.precond = VKS_PRECOND_JACOBI}, "lsmr takes no preconditioner"},
                   {{.weight = 0.5}, "lsmr has no weight"},
                   {{.iterate_in_f32 = 1}, "iterations in f32"},
                   {{.singular = 1}, "lsmr takes no null space"},
                   {{.singular = 1, .null_space = null_space, .null_space_count = 1}, "no null space"}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        must_refuse(c, vks_solve(t.A, t.b, t.x, &refused[i].o, NULL), VKS_INVALID_ARGUMENT, refused[i].why);
    must_refuse(c, vks_solve(t.A, t.x, t.b, NULL, NULL), VKS_INVALID_ARGUMENT,
                "A is 300 x 60, b has 60 elements and x has 300");
    must_refuse(c, vks_cg_solve(t.A, t.b, t.x, NULL, NULL), VKS_INVALID_ARGUMENT, "needs a square matrix");
    must_refuse(c, vks_fixed_point_solve(t.A, t.b, t.x, NULL, NULL), VKS_INVALID_ARGUMENT, "needs a square");
    OWNED_STRUCT(host_csr) square = tridiagonal(20, -1, 4, -1);
    OWNED(vks_matrix) *S = least_matrix(c, &square, PRECISION_F64);
    OWNED(vks_vector) *y = vector_of(c, PRECISION_F64, NULL, 20), *z = vector_of(c, PRECISION_F64, NULL, 20);
    must_refuse(c,
                vks_solve(S, y, z,
                          &(vks_solve_options){.method = VKS_METHOD_RICHARDSON, .precond_options = &inner},
                          NULL),
                VKS_INVALID_ARGUMENT, "lsmr is for least squares");
    vks_matrix_destroy(S);
    const vks_operator poisson = poisson_operator(20, false, VKS_F64);
    OWNED(vks_vector) *long_y = vector_of(c, PRECISION_F64, NULL, 400),
                      *long_z = vector_of(c, PRECISION_F64, NULL, 400);
    must_work(c, vks_operator_create(c, 400, &poisson, &S));
    must_refuse(c, vks_solve(S, long_y, long_z, &(vks_solve_options){.method = VKS_METHOD_LSMR}, NULL),
                VKS_UNSUPPORTED, "lsmr needs products with A^T");
}

/* The first column is far larger than the others, so that ||A^T r|| is small compared with ||A|| for any
 * x. */
TestOnHost(lsmr_calls, an_x_is_not_good_enough_because_one_column_is_large)
{
    OWNED_STRUCT(host_csr) A = new_csr(3, 2, 3);
    const double b[] = {0, 1, 1};
    for (uint32_t i = 0; i < 3; i++) {
        A.row[i + 1] = i + 1;
        A.col[i] = i > 0;
        A.val[i] = i ? 1 : 1e10;
    }
    struct least q = {.A = &A, .b = b, .p = PRECISION_F64};
    OWNED_STRUCT(solved) s = solve_least(c, &q);
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect(s.report.least_squares == 0 && s.report.true_residual <= 1e-8, "%g", s.report.true_residual);
}
