/* Successful solves: known solutions, and edge cases. */
#include "small_matrix.h"
#include "tests/support/solve.h"

#if VKS_HAVE_LAPACKE
#include <lapacke.h>
#endif

static const double rtols[REAL_PRECISIONS] = {1e-4, 1e-10};

static void must_be_near(const double *x, const double *want, uint32_t n, double tolerance)
{
    double error = 0, size = 0;
    for (uint32_t i = 0; i < n; i++) {
        error += (x[i] - want[i]) * (x[i] - want[i]);
        size += want[i] * want[i];
    }
    cr_expect_leq(sqrt(error), tolerance * sqrt(size), "x is off by %g", sqrt(error / size));
}

/* b = A times small integers, exact in either precision; the solve must recover them. */
static void find_integers(vks_context *c, const struct host_csr *A, enum precision p, double tolerance)
{
    uint32_t n = A->rows;
    OWNED(double) *want = room(n, 8), *b = room(n, 8);
    for (uint32_t i = 0; i < n; i++)
        want[i] = (double)(i * 7 % 11) - 5;
    host_multiply(A, want, b);
    for (int precond = VKS_PRECOND_NONE; precond <= VKS_PRECOND_JACOBI; precond++) {
        struct problem q = {
            A, b, NULL, p, {.rtol = rtols[p], .precond = (vks_precond_kind)precond, .history_capacity = 50}};
        OWNED_STRUCT(solved) s = solve(c, &q);
        must_end(&s, VKS_REASON_CONVERGED);
        must_be_near(s.x, want, n, tolerance);
    }
}

TestEverywhere(solver, finds_the_known_solution_of_a_tridiagonal_system)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(300, -1, 2.5, -1);
    find_integers(c, &A, p, 10 * rtols[p]);
}

TestEverywhere(solver, finds_the_known_solution_of_a_poisson_problem)
{
    OWNED_STRUCT(host_csr) A = model("poisson2d", 20);
    find_integers(c, &A, p, 1000 * rtols[p]);
}

#if VKS_HAVE_LAPACKE
/* The solution by dense Cholesky, the same for both precisions: A and b are representable in f32. */
static double *lapack_solution(const struct host_csr *A, const double *b)
{
    uint32_t n = A->rows;
    double *dense = room((size_t)n * n, 8), *x = room(n, 8);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            dense[(size_t)i * n + A->col[k]] = A->val[k];
    memcpy(x, b, n * 8);
    cr_assert_eq(LAPACKE_dposv(LAPACK_ROW_MAJOR, 'U', (int)n, 1, dense, (int)n, x, 1), 0);
    free(dense);
    return x;
}

TestEverywhere(solver, agrees_with_lapack_on_random_systems)
{
    for (uint32_t n = 5; n < 400; n += 131) {
        OWNED_STRUCT(host_csr) A = random_spd(PRECISION_F32, n, n);
        OWNED(double) *b = random_vector(PRECISION_F32, n, 3, n), *want = lapack_solution(&A, b);
        struct problem q = {&A, b, NULL, p, {.rtol = rtols[p], .history_capacity = 10}};
        OWNED_STRUCT(solved) s = solve(c, &q);
        must_end(&s, VKS_REASON_CONVERGED);
        must_be_near(s.x, want, n, 1000 * rtols[p]);
    }
}
#endif

TestEverywhere(solver, an_exact_guess_takes_no_iteration_and_stays)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(500, -1, 2, -1);
    double x[500], b[500];
    for (int i = 0; i < 500; i++)
        x[i] = i % 13;
    host_multiply(&A, x, b);
    struct problem q = {&A, b, x, p, {.rtol = 1e-12, .history_capacity = 5}};
    OWNED_STRUCT(solved) s = solve(c, &q);
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect_eq(s.report.iterations, 0);
    cr_expect_eq(s.report.true_residual, 0);
    must_equal(s.x, x, 500, "an exact guess");
}

TestEverywhere(solver, a_zero_right_hand_side_has_the_solution_zero_whatever_the_guess)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(300, -1, 2, -1);
    double b[300] = {0}, x0[300], zeros[300] = {0};
    for (int i = 0; i < 300; i++)
        x0[i] = i == 7 ? NAN : i;
    struct problem q = {&A, b, x0, p, {.history_capacity = 5}};
    OWNED_STRUCT(solved) s = solve(c, &q);
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect_eq(s.report.iterations, 0);
    cr_expect_eq(s.report.true_residual, 0);
    must_equal(s.x, zeros, 300, "x for b = 0");
}

static void zero_with_values(vks_context *c, enum precision p, double diagonal, double beside)
{
    static const vks_solve_options all[] = {{.precond = VKS_PRECOND_NONE},
                                            {.precond = VKS_PRECOND_JACOBI},
                                            {.precond = VKS_PRECOND_BLOCK_JACOBI},
                                            {.method = VKS_METHOD_JACOBI}};
    OWNED_STRUCT(host_csr) A = tridiagonal(300, -1, 4, -1);
    double b[300] = {0};
    A.val[A.row[100]] = beside; /* which the diagonal entry follows */
    A.val[A.row[100] + 1] = diagonal;
    for (int i = 0; i < 4; i++) {
        struct problem q = {&A, b, NULL, p, all[i]};
        OWNED_STRUCT(solved) s = solve(c, &q);
        must_end(&s, VKS_REASON_NOT_FINITE);
        cr_expect(isnan(s.report.true_residual), "%g", s.report.true_residual);
    }
}

TestEverywhere(solver, a_zero_right_hand_side_has_no_solution_where_the_matrix_is_not_finite)
{
    zero_with_values(c, p, 4, NAN);
    zero_with_values(c, p, 4, INFINITY);
    zero_with_values(c, p, NAN, -1);
    zero_with_values(c, p, INFINITY, -1);
}

TestEverywhere(solver, a_system_without_unknowns_is_solved)
{
    OWNED_STRUCT(host_csr) A = new_csr(0, 0, 0);
    struct problem q = {&A, NULL, NULL, p, {0}};
    OWNED_STRUCT(solved) s = solve(c, &q);
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect_eq(s.report.iterations, 0);
    cr_expect_eq(s.report.true_residual, 0);
}

TestEverywhere(solver, one_unknown_takes_one_iteration)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(1, 0, 4, 0);
    double b = 6, want = 1.5;
    for (int precond = VKS_PRECOND_NONE; precond <= VKS_PRECOND_JACOBI; precond++) {
        struct problem q = {&A, &b, NULL, p, {.precond = (vks_precond_kind)precond, .history_capacity = 5}};
        OWNED_STRUCT(solved) s = solve(c, &q);
        must_end(&s, VKS_REASON_CONVERGED);
        cr_expect_eq(s.report.iterations, 1);
        must_equal(s.x, &want, 1, "6 / 4");
    }
}

TestEverywhere(solver, jacobi_solves_a_diagonal_system_in_one_iteration)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(700, 0, 1, 0);
    double b[700], want[700];
    for (uint32_t i = 0; i < 700; i++) {
        for (uint32_t k = A.row[i]; k < A.row[i + 1]; k++)
            A.val[k] = A.col[k] == i ? ldexp(1, (int)(i % 9) - 4) : 0;
        b[i] = i % 17;
        want[i] = ldexp(b[i], 4 - (int)(i % 9));
    }
    struct problem q = {&A, b, NULL, p, {.rtol = 1e-6, .precond = VKS_PRECOND_JACOBI}};
    OWNED_STRUCT(solved) s = solve(c, &q);
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect_eq(s.report.iterations, 1);
    must_be_near(s.x, want, 700, 1e-6);
}

TestOnHost(solver, a_zero_guess_is_taken_instead_of_what_x_holds)
{
    OWNED_STRUCT(host_csr) A = random_spd(PRECISION_F64, 500, 3);
    double *b = random_vector(PRECISION_F64, 500, 3, 4), garbage[500];
    for (int i = 0; i < 500; i++)
        garbage[i] = i % 2 ? NAN : 1e300;
    struct problem from_zero = {&A, b, NULL, PRECISION_F64, {.history_capacity = 100}}, reported = from_zero;
    reported.x0 = garbage;
    reported.options.zero_guess = 1;
    OWNED_STRUCT(solved) a = solve(c, &from_zero), z = solve(c, &reported);
    must_end(&a, VKS_REASON_CONVERGED);
    must_match(&a, &z, 500, "from zero, and reported so");
    cr_expect_eq(a.report.initial_residual, 1);
    free(b);
}

TestOnHost(solver, a_guess_that_is_near_takes_fewer_iterations)
{
    OWNED_STRUCT(host_csr) A = random_spd(PRECISION_F64, 500, 3);
    OWNED(double) *b = random_vector(PRECISION_F64, 500, 3, 4);
    struct problem q = {&A, b, NULL, PRECISION_F64, {.rtol = 1e-6}}, on = q;
    OWNED_STRUCT(solved) first = solve(c, &q);
    on.options.rtol = 1e-8;
    on.x0 = first.x;
    OWNED_STRUCT(solved) second = solve(c, &on);
    must_end(&second, VKS_REASON_CONVERGED);
    cr_expect_lt(second.report.iterations, first.report.iterations);
    cr_expect(same_bits(second.report.initial_residual, first.report.true_residual));
}

TestOnHost(solver, the_absolute_tolerance_is_met_where_it_is_the_larger_one)
{
    OWNED_STRUCT(host_csr) A = random_spd(PRECISION_F64, 500, 3);
    OWNED(double) *b = random_vector(PRECISION_F64, 500, 3, 4);
    struct problem loose = {&A, b, NULL, PRECISION_F64, {.rtol = 1e-12, .atol = 0.5}}, tight = loose;
    tight.options.atol = 1e-30;
    OWNED_STRUCT(solved) l = solve(c, &loose), t = solve(c, &tight);
    must_end(&l, VKS_REASON_CONVERGED);
    must_end(&t, VKS_REASON_CONVERGED);
    cr_expect_lt(l.report.iterations, t.report.iterations);
    cr_expect_gt(l.report.true_residual, 1e-9, "more than was asked for");
}

TestOnHost(solver, a_short_history_holds_the_first_iterations)
{
    OWNED_STRUCT(host_csr) A = random_spd(PRECISION_F64, 500, 3);
    OWNED(double) *b = random_vector(PRECISION_F64, 500, 3, 4);
    struct problem q = {&A, b, NULL, PRECISION_F64, {.history_capacity = 100}}, brief = q, none = q;
    brief.options.history_capacity = 5;
    none.options.history_capacity = 0;
    OWNED_STRUCT(solved) all = solve(c, &q), first = solve(c, &brief), nothing = solve(c, &none);
    cr_assert_gt(all.report.history_count, 8);
    cr_assert_eq(first.report.history_count, 5);
    must_equal(first.history, all.history, 5, "the first iterations");
    must_equal(first.x, all.x, 500, "x with a short history");
    must_equal(nothing.x, all.x, 500, "x without a history");
}

/* The traffic as counted by solvers/method/cg.c: the matrix, and 12 times a vector. */
TestOnHost(solver, an_iteration_is_three_dispatches_with_the_bytes_that_are_billed)
{
    OWNED_STRUCT(host_csr) A = random_spd(PRECISION_F64, 500, 3);
    double *b = random_vector(PRECISION_F64, 500, 3, 4), entries = (double)host_csr_entries(&A);
    struct problem q = {&A, b, NULL, PRECISION_F64, {.max_iterations = 3}};
    OWNED_STRUCT(solved) s = solve(c, &q);
    cr_expect_eq(s.report.dispatches_per_iteration, 3);
    cr_expect_eq(s.report.bytes_per_iteration, 12 * entries + 4 * 501 + 12 * 8 * 500, "%g bytes",
                 s.report.bytes_per_iteration);
    free(b);
}

Test(solver, host_arrays_are_solved_without_objects)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(200, -1, 3, -1);
    double want[200], b[200], x[200] = {0};
    for (int i = 0; i < 200; i++)
        want[i] = i % 5;
    host_multiply(&A, want, b);
    vks_solve_report r;
    cr_expect_eq(vks_solve_csr(200, A.row, A.col, A.val, b, x, NULL, &r), VKS_OK, "%s", r.detail);
    cr_expect_eq(r.reason, VKS_REASON_CONVERGED);
    must_be_near(x, want, 200, 1e-7);
    cr_expect_eq(vks_solve_csr(200, A.row, A.col, A.val, b, x, NULL, NULL), VKS_OK);
    A.col[5] = 200;
    cr_expect_eq(vks_solve_csr(200, A.row, A.col, A.val, b, x, NULL, &r), VKS_INVALID_ARGUMENT);
    cr_expect(strstr(r.detail, "outside 0..199"), "%s", r.detail);
}

static void must_refuse_null(const struct host_csr *A, const double *b, double *x, const char *part)
{
    vks_solve_report r;
    cr_expect_eq(vks_solve_csr(3, A->row, A->col, A->val, b, x, NULL, &r), VKS_INVALID_ARGUMENT);
    cr_expect(strstr(r.detail, part), "%s", r.detail);
    cr_expect_eq(r.reason, VKS_REASON_NOT_RUN);
    cr_expect_eq(vks_solve_csr(3, A->row, A->col, A->val, b, x, NULL, NULL), VKS_INVALID_ARGUMENT);
}

Test(solver, host_arrays_that_are_null_are_refused)
{
    struct host_csr A = tridiagonal(3, -1, 3, -1), without;
    double b[3] = {1, 2, 3}, x[3] = {0};
    must_refuse_null(&A, NULL, x, "b is NULL");
    must_refuse_null(&A, b, NULL, "x is NULL");
    without = A;
    without.row = NULL;
    must_refuse_null(&without, b, x, "row offsets are NULL");
    without = A;
    without.col = NULL;
    must_refuse_null(&without, b, x, "column indices are NULL");
    without = A;
    without.val = NULL;
    must_refuse_null(&without, b, x, "values are NULL");
    cr_expect_eq(vks_solve_csr(0, (uint32_t[]){0}, NULL, NULL, NULL, NULL, NULL, NULL), VKS_OK);
    host_csr_free(&A);
}
