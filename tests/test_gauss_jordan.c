/* Gauss-Jordan elimination: textbook systems and endings. test_gauss_jordan_lapack.c compares with LAPACK. */
#include "tests/support/dense_system.h"
#include "vksolve/solver.h"

TestEverywhere(gauss_jordan, the_three_equations_with_the_solution_2_3_minus_1)
{
    static const double A[] = {2, 1, -1, -3, -1, 2, -2, 1, 2}, B[] = {8, -11, -3}, X[] = {2, 3, -1};
    OWNED_STRUCT(system) s = make_system(c, p, 3, 1, A, B);
    cr_expect_eq(run_system(&s, NULL), VKS_REASON_CONVERGED);
    must_be_near(&s, X, 4);
    cr_expect_eq(s.report.determinant_sign, -1);
    cr_expect_float_eq(s.report.determinant_log, 0, 1e-5);
    cr_expect_eq(s.report.largest_pivot, 3);
    cr_expect_str_empty(s.report.detail);
    cr_expect_str_empty(s.report.warning);
}

TestEverywhere(gauss_jordan, the_inverse_of_the_tridiagonal_matrix_of_order_3)
{
    static const double A[] = {2, -1, 0, -1, 2, -1, 0, -1, 2};
    static const double want[] = {0.75, 0.5, 0.25, 0.5, 1, 0.5, 0.25, 0.5, 0.75};
    double got[9];
    OWNED_STRUCT(system) s = make_system(c, p, 3, 0, A, NULL);
    OWNED(vks_dense) *inverse = NULL;
    must_work(c, vks_gauss_jordan_invert(s.A, &inverse, NULL, &s.report));
    must_work(c, vks_dense_get(inverse, VKS_F64, got, 0));
    for (int e = 0; e < 9; e++)
        cr_expect_float_eq(got[e], want[e], 4 * unit(p), "element %d is %g", e, got[e]);
    cr_expect_float_eq(s.report.determinant_log, log(4), 1e-6);
    cr_expect_float_eq(s.report.reciprocal_condition, 1 / (4.0 * 2.0), 1e-6);
}

/* One solution has size 1, the other 1e15, and so has its residual. */
TestOnHost(gauss_jordan, a_large_solution_does_not_keep_the_others_from_being_refined)
{
    enum { N = 12, M = 2 };
    double A[N * N], B[N * M] = {0};
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            B[M * i] += A[N * i + j] = 1.0 / (i + j + 1);
        B[M * i + 1] = i % 2 ? -1 : 1;
    }
    OWNED_STRUCT(system) s = make_system(c, PRECISION_F64, N, M, A, B);
    cr_expect_eq(run_system(&s, NULL), VKS_REASON_CONVERGED);
    cr_expect_lt(s.report.backward_error, 4 * unit(PRECISION_F64), "%g", s.report.backward_error);
    double *x = read_rhs(&s), worst = 0;
    for (int i = 0; i < N; i++) {
        long double r = B[M * i];
        for (int j = 0; j < N; j++)
            r -= (long double)A[N * i + j] * x[M * j];
        worst = fmax(worst, (double)fabsl(r));
    }
    cr_expect_lt(worst, 16 * unit(PRECISION_F64), "residual %g", worst);
    free(x);
}

TestEverywhere(gauss_jordan, zeros_on_the_diagonal_of_a_regular_matrix_do_no_harm)
{
    static const double A[] = {0, 2, 1, 1, 0, 0, 3, 0, 1}, X[] = {1, 2, 2, 2, 1, 3};
    static const double B[] = {5, 7, 1, 2, 4, 9};
    OWNED_STRUCT(system) s = make_system(c, p, 3, 2, A, B);
    cr_expect_eq(run_system(&s, NULL), VKS_REASON_CONVERGED);
    must_be_near(&s, X, 4);
}

/* If the second row were taken first, the largest pivot would be 3. */
TestEverywhere(gauss_jordan, of_equal_pivots_the_first_row_is_taken)
{
    static const double A[] = {1, 0, 0, 1, 3, 0, 0.5, 4, 1}, B[] = {1, 4, 5.5}, X[] = {1, 1, 1};
    OWNED_STRUCT(system) s = make_system(c, p, 3, 1, A, B);
    cr_expect_eq(run_system(&s, NULL), VKS_REASON_CONVERGED);
    cr_expect_eq(s.report.largest_pivot, 4);
    must_be_near(&s, X, 4);
}

/* A permuted diagonal with one small entry: only the column that the transposed solve points at shows it. */
TestOnHost(gauss_jordan, the_condition_number_of_a_permuted_diagonal_is_found)
{
    enum { ORDER = 300 };
    OWNED(double) *A = room(ORDER * ORDER, 8), *B = room(ORDER, 8);
    for (int i = 0; i < ORDER; i++)
        A[i * ORDER + (i * 49 + 17) % ORDER] = i == 133 ? 0x1p-20 : i % 2 ? 1 : -0.5;
    OWNED_STRUCT(system) s = make_system(c, PRECISION_F64, ORDER, 1, A, B);
    cr_expect_eq(run_system(&s, NULL), VKS_REASON_CONVERGED);
    cr_expect_eq(s.report.reciprocal_condition, 0x1p-20, "%g", s.report.reciprocal_condition);
    cr_expect_eq(s.report.least_pivot, 0x1p-20);
    cr_expect_eq(s.report.least_pivot_column, (133 * 49 + 17) % ORDER);
}

/* The inverse is diag(2, 1, 1, 1) + 511.5 v v', v = (0, 1, -1, 0): the start of the ascent is orthogonal to
 * v, and only the vector of alternating signs is not. */
Test(gauss_jordan, the_condition_number_is_found_where_the_gradient_does_not_point_at_it)
{
    const double c = 0.5 - 0x1p-11, A[] = {0.5, 0, 0, 0, 0, 1 - c, c, 0, 0, c, 1 - c, 0, 0, 0, 0, 1};
    OWNED(vks_context) *host = open_host();
    OWNED_STRUCT(system) s = make_system(host, PRECISION_F64, 4, 1, A, A);
    cr_expect_eq(run_system(&s, NULL), VKS_REASON_CONVERGED);
    cr_expect(s.report.reciprocal_condition > 0.99 / 1024 && s.report.reciprocal_condition < 3.0 / 1024, "%g",
              s.report.reciprocal_condition);
}

TestOnHost(gauss_jordan, a_solution_that_overflows_is_not_finite)
{
    static const double A[] = {1e-300, 0, 0, 1}, B[] = {1e200, 1};
    OWNED_STRUCT(system) s = make_system(c, PRECISION_F64, 2, 1, A, B);
    cr_expect_eq(run_system(&s, NULL), VKS_REASON_NOT_FINITE);
    cr_expect(strstr(s.report.detail, "overflows"), "%s", s.report.detail);
}

TestOnHost(gauss_jordan, an_inverse_that_overflows_is_not_finite)
{
    static const double A[] = {1e-310};
    vks_dense *inverse = (vks_dense *)1;
    OWNED_STRUCT(system) s = make_system(c, PRECISION_F64, 1, 0, A, NULL);
    must_work(c, vks_gauss_jordan_invert(s.A, &inverse, NULL, &s.report));
    cr_expect_eq(s.report.reason, VKS_REASON_NOT_FINITE);
    cr_expect_str_eq(s.report.detail, "the inverse overflows");
    cr_expect_null(inverse);
}

/* The sum of A's first column overflows, and A is well-conditioned. The inverses of the elements are normal
 * numbers: not every GPU supports others. */
TestEverywhere(gauss_jordan, numbers_near_the_largest_are_no_sign_of_a_singular_matrix)
{
    enum { N = 6 };
    double large = p == PRECISION_F64 ? 0.95 * 0x1p1022 : 0.95 * 0x1p126, A[N * N] = {0}, b[N];
    for (int i = 0; i < N; i++) {
        A[N * i] = A[N * i + i] = rounded(p, large / (1 + 0.1 * i));
        b[i] = large / (3 + i);
    }
    OWNED_STRUCT(system) s = make_system(c, p, N, 1, A, b);
    OWNED(vks_dense) *inverse = NULL;
    cr_expect_eq(run_system(&s, NULL), VKS_REASON_CONVERGED);
    cr_expect(s.report.backward_error > 0 && s.report.backward_error < 8 * unit(p), "%g",
              s.report.backward_error);
    cr_expect(s.report.reciprocal_condition > 0.01, "%g", s.report.reciprocal_condition);
    cr_expect_str_empty(s.report.warning);
    must_work(c, vks_gauss_jordan_invert(s.A, &inverse, NULL, &s.report));
    cr_expect_eq(s.report.reason, VKS_REASON_CONVERGED);
    cr_expect(s.report.reciprocal_condition > 0.01, "%g", s.report.reciprocal_condition);
    cr_expect_str_empty(s.report.warning);
}

TestOnHost(gauss_jordan, a_solution_that_vanishes_has_a_backward_error)
{
    OWNED_STRUCT(system) s = make_system(c, PRECISION_F64, 1, 1, (double[]){4}, (double[]){5e-324});
    cr_expect_eq(run_system(&s, NULL), VKS_REASON_STAGNATED);
    cr_expect_eq(s.report.backward_error, 1);
}

TestOnHost(gauss_jordan, of_nothing_the_determinant_is_1)
{
    OWNED_STRUCT(system) s = make_system(c, PRECISION_F64, 0, 2, NULL, NULL);
    cr_expect_eq(run_system(&s, NULL), VKS_REASON_CONVERGED);
    cr_expect_eq(s.report.determinant_sign, 1);
    cr_expect_eq(s.report.determinant_log, 0);
}

TestOnHost(gauss_jordan, a_vector_may_be_solved_for_in_its_place)
{
    static const double A[] = {3, 1, 1, 2}, b[] = {9, 8};
    double x[2];
    OWNED_STRUCT(system) s = make_system(c, PRECISION_F64, 2, 0, A, NULL);
    OWNED(vks_vector) *v = vector_of(c, PRECISION_F64, b, 2);
    must_work(c, vks_gauss_jordan_solve_vector(s.A, v, v, NULL, &s.report));
    must_work(c, vks_vector_read(v, 0, 2, VKS_F64, x));
    cr_expect(fabs(x[0] - 2) < 1e-14 && fabs(x[1] - 3) < 1e-14, "%g %g", x[0], x[1]);
}

Test(gauss_jordan, what_does_not_fit_is_refused)
{
    OWNED(vks_context) *c = open_host(), *other = open_host();
    double v[12] = {0};
    OWNED_STRUCT(system) square = make_system(c, PRECISION_F64, 3, 2, v, v),
                         narrow = make_system(c, PRECISION_F32, 3, 2, v, v),
                         foreign = make_system(other, PRECISION_F64, 3, 2, v, v);
    vks_gauss_jordan_report r;
    vks_dense *inverse = (vks_dense *)1;
    must_refuse(c, vks_gauss_jordan_solve(square.B, square.A, NULL, &r), VKS_INVALID_ARGUMENT,
                "3 x 2; elimination");
    cr_expect_eq(r.reason, VKS_REASON_NOT_RUN);
    cr_expect(strstr(r.detail, "square"), "%s", r.detail);
    must_refuse(c, vks_gauss_jordan_invert(square.B, &inverse, NULL, &r), VKS_INVALID_ARGUMENT,
                "square matrix");
    cr_expect_null(inverse);
    must_refuse(c, vks_gauss_jordan_solve(square.A, narrow.B, NULL, NULL), VKS_INVALID_ARGUMENT, "precision");
    must_refuse(c, vks_gauss_jordan_solve(square.A, foreign.B, NULL, NULL), VKS_INVALID_ARGUMENT, "contexts");
    must_refuse(c, vks_gauss_jordan_solve(square.A, square.A, NULL, NULL), VKS_INVALID_ARGUMENT,
                "same matrix");
    OWNED(vks_vector) *x = vector_of(c, PRECISION_F64, NULL, 4);
    must_refuse(c, vks_gauss_jordan_solve_vector(square.A, x, x, NULL, &r), VKS_INVALID_ARGUMENT, "b has 4");
}

TestOnHost(gauss_jordan, sparse_matrices_beyond_the_limit_are_refused_before_they_are_dense)
{
    enum { ROWS = VKS_GAUSS_JORDAN_LARGEST + 1 };
    OWNED(uint32_t) *row = room(ROWS + 1, 4);
    OWNED(vks_matrix) *A = NULL;
    vks_solve_options o = {.method = VKS_METHOD_GAUSS_JORDAN};
    must_work(c, vks_matrix_from_csr(c, ROWS, ROWS, row, NULL, NULL, NULL, &A));
    OWNED(vks_vector) *b = vector_of(c, PRECISION_F64, NULL, ROWS);
    OWNED(vks_vector) *x = vector_of(c, PRECISION_F64, NULL, ROWS);
    must_refuse(c, vks_solve(A, b, x, &o, NULL), VKS_LIMIT, "A has 16385 rows");
}
