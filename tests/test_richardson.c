/* The Richardson iteration: x += w M^-1 (b - A x) compared with its definition, for unsymmetric matrices,
 * too; its endings, and its use as an inner method. */
#include "small_matrix.h"
#include "tests/support/unsymmetric.h"
#include "vksolve/precond.h"

static struct solved richardson(vks_context *c, const struct host_csr *A, const double *b, enum precision p,
                                vks_solve_options o)
{
    o.method = VKS_METHOD_RICHARDSON;
    struct problem q = {.A = A, .b = b, .p = p, .options = o};
    return solve(c, &q);
}

enum { N = 300 };

/* Unsymmetric, and dominant with a diagonal of 4. */
static struct host_csr skew(void)
{
    return tridiagonal(N, -2, 4, -0.5);
}

/* The iteration in long double, from zero, with 1 / m for M^-1. */
static void iterate(const struct host_csr *A, const double *b, double w, double m, uint32_t steps,
                    long double *x)
{
    long double *r = malloc(A->rows * sizeof *r);
    memset(x, 0, A->rows * sizeof *x);
    for (uint32_t k = 0; k < steps; k++) {
        for (uint32_t i = 0; i < A->rows; i++) {
            r[i] = b[i];
            for (uint32_t e = A->row[i]; e < A->row[i + 1]; e++)
                r[i] -= A->val[e] * x[A->col[e]];
        }
        for (uint32_t i = 0; i < A->rows; i++)
            x[i] += (long double)w * r[i] / m;
    }
    free(r);
}

/* All iterates have elements below 1, and each step rounds them some ten times. */
TestEverywhere(richardson, iterates_are_those_of_the_definition)
{
    static const struct {
        vks_precond_kind precond;
        double weight, m;
    } tried[] = {{VKS_PRECOND_JACOBI, 0, 4}, {VKS_PRECOND_JACOBI, 0.75, 4}, {VKS_PRECOND_NONE, 0.1875, 1}};
    OWNED_STRUCT(host_csr) A = skew();
    double *b = right_side_of_floats(&A, p), u = p == PRECISION_F32 ? 0x1p-24 : 0x1p-53;
    for (int t = 0; t < 3; t++)
        for (uint32_t steps = 1; steps < 16; steps += 7) {
            long double x[N];
            OWNED_STRUCT(solved) s = richardson(c, &A, b, p,
                                                (vks_solve_options){.precond = tried[t].precond,
                                                                    .weight = tried[t].weight,
                                                                    .zero_guess = 1,
                                                                    .max_iterations = steps});
            must_end(&s, VKS_REASON_ITERATION_LIMIT);
            cr_assert_eq(s.report.iterations, steps);
            cr_assert_eq(s.report.weight, tried[t].weight > 0 ? tried[t].weight : 1);
            iterate(&A, b, s.report.weight, tried[t].m, steps, x);
            for (uint32_t i = 0; i < N; i++)
                cr_assert(fabsl(x[i] - s.x[i]) <= 100 * steps * u, "x[%u] is %g, not %Lg", i, s.x[i], x[i]);
        }
    free(b);
}

TestEverywhere(richardson, solves_unsymmetric_systems_with_each_preconditioner)
{
    static const vks_precond_kind kinds[] = {VKS_PRECOND_NONE, VKS_PRECOND_JACOBI, VKS_PRECOND_BLOCK_JACOBI,
                                             VKS_PRECOND_DENSE, VKS_PRECOND_INNER};
    OWNED_STRUCT(host_csr) A = skew();
    OWNED(double) *b = right_side_of_floats(&A, p);
    uint32_t iterations[5];
    for (int k = 0; k < 5; k++) {
        vks_solve_options o = {
            .precond = kinds[k], .weight = kinds[k] == VKS_PRECOND_NONE ? 0.25 : 1, .history_capacity = 1000};
        OWNED_STRUCT(solved) s = richardson(c, &A, b, p, o);
        must_end(&s, VKS_REASON_CONVERGED);
        iterations[k] = s.report.iterations;
    }
    cr_expect_eq(iterations[0], iterations[1]); /* the diagonal is 4 in all rows */
    cr_expect_leq(iterations[2], iterations[1]);
    cr_expect_leq(iterations[3], 2);
    cr_expect_lt(iterations[4], iterations[1]);
}

static struct solved solve_once(vks_context *c)
{
    OWNED_STRUCT(host_csr) A = skew();
    OWNED(double) *b = right_side_of_floats(&A, PRECISION_F64);
    struct solved s = richardson(c, &A, b, PRECISION_F64, (vks_solve_options){.history_capacity = 1000});
    must_end(&s, VKS_REASON_CONVERGED);
    return s;
}

Test(richardson, host_and_gpu_give_the_same_bits)
{
    OWNED(vks_context) *host = open_host(), *gpu = open_gpu();
    OWNED_STRUCT(solved) a = solve_once(host), b = solve_once(gpu);
    must_match(&a, &b, N, "Richardson's iteration");
}

TestEverywhere(richardson, ends_with_the_reason)
{
    OWNED_STRUCT(host_csr) A = skew();
    OWNED(double) *b = right_side_of_floats(&A, p);
    OWNED_STRUCT(solved) s = richardson(c, &A, b, p, (vks_solve_options){.weight = 3});
    must_end(&s, VKS_REASON_DIVERGED);
    cr_expect(strstr(s.report.detail, "; a weight below 3 may converge"), "%s", s.report.detail);
    solved_free(&s);
    A.val[A.row[7] + 1] = -4; /* a negative diagonal entry is valid */
    s = richardson(c, &A, b, p, (vks_solve_options){0});
    must_end(&s, VKS_REASON_CONVERGED);
    solved_free(&s);
    A.val[A.row[7] + 1] = NAN;
    s = richardson(c, &A, b, p, (vks_solve_options){.precond = VKS_PRECOND_NONE, .zero_guess = 1});
    cr_expect_eq(s.report.reason, VKS_REASON_NOT_FINITE);
    solved_free(&s);
    A.val[A.row[7] + 1] = 0;
    s = richardson(c, &A, b, p, (vks_solve_options){0});
    cr_expect_eq(s.report.reason, VKS_REASON_ZERO_DIAGONAL);
    cr_expect_eq(s.report.row, 7);
}

TestOnHost(richardson, growth_beyond_the_range_of_the_precision_is_divergence)
{
    OWNED_STRUCT(host_csr) A = skew();
    OWNED(double) *b = right_side_of_floats(&A, PRECISION_F32);
    OWNED_STRUCT(solved) s =
        richardson(c, &A, b, PRECISION_F32, (vks_solve_options){.weight = 6e9, .zero_guess = 1});
    must_end(&s, VKS_REASON_DIVERGED);
    cr_expect_str_eq(s.report.detail, "the residual left the range of its precision in iteration 2");
}

TestOnHost(richardson, refuses_options_that_it_does_not_have)
{
    OWNED_STRUCT(host_csr) A = skew();
    OWNED(vks_matrix) *m = matrix_from(c, &A, NULL);
    OWNED(vks_vector) *b = vector_of(c, PRECISION_F64, NULL, N), *x = vector_of(c, PRECISION_F64, NULL, N);
    vks_solve_options o = {.method = VKS_METHOD_RICHARDSON, .weight = VKS_WEIGHT_AUTO};
    must_refuse(c, vks_solve(m, b, x, &o, NULL), VKS_INVALID_ARGUMENT, "richardson has no automatic weight");
    o = (vks_solve_options){.method = VKS_METHOD_RICHARDSON, .iterate_in_f32 = 1};
    must_refuse(c, vks_solve(m, b, x, &o, NULL), VKS_INVALID_ARGUMENT, "richardson does not refine");
}

/* With the diagonal it equals inner Jacobi of the same weight up to rounding; around a nonlinear
 * preconditioner it is nonlinear. */
TestEverywhere(richardson, some_steps_are_a_linear_preconditioner_if_their_own_is)
{
    OWNED_STRUCT(host_csr) A = random_spd(p, N, 3);
    OWNED(double) *b = right_side_of_floats(&A, p);
    vks_precond_options nonlinear = {.kind = VKS_PRECOND_INNER, .method = VKS_METHOD_CG};
    vks_precond_options inner = {.kind = VKS_PRECOND_INNER, .method = VKS_METHOD_JACOBI, .weight = 0.5};
    struct problem q = {.A = &A, .b = b, .p = p, .options = {.precond_options = &inner}};
    struct solved jacobi = solve(c, &q);
    inner.method = VKS_METHOD_RICHARDSON;
    struct solved s = solve(c, &q);
    must_end(&jacobi, VKS_REASON_CONVERGED);
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect_leq(abs((int)s.report.iterations - (int)jacobi.report.iterations), 1);
    solved_free(&s);
    solved_free(&jacobi);
    OWNED(vks_matrix) *m = matrix_from(c, &A, NULL);
    OWNED(vks_vector) *v = vector_of(c, PRECISION_F64, b, N), *x = vector_of(c, PRECISION_F64, NULL, N);
    inner.inner = &nonlinear;
    must_refuse(c, vks_solve(m, v, x, &(vks_solve_options){.precond_options = &inner}, NULL),
                VKS_INVALID_ARGUMENT, "inner with richardson is not linear");
}
