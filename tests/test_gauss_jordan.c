/* Gauss-Jordan elimination: textbook systems, endings, and equal bits. Beside LAPACK:
 * test_gauss_jordan_lapack.c. */
#include "tests/support/dense_system.h"

static void solves(vks_context *c, enum precision p)
{
    static const double A[] = {2, 1, -1, -3, -1, 2, -2, 1, 2}, B[] = {8, -11, -3}, X[] = {2, 3, -1};
    struct system s = make_system(c, p, 3, 1, A, B);
    cr_expect_eq(run_system(&s, NULL), VKS_REASON_CONVERGED);
    must_be_near(&s, X, 4);
    cr_expect_eq(s.report.determinant_sign, -1);
    cr_expect_float_eq(s.report.determinant_log, 0, 1e-5);
    cr_expect_eq(s.report.largest_pivot, 3);
    cr_expect_str_empty(s.report.detail);
    cr_expect_str_empty(s.report.warning);
    free_system(&s);
}

Test(gauss_jordan, the_three_equations_with_the_solution_2_3_minus_1)
{
    everywhere(solves);
}

static void inverts(vks_context *c, enum precision p)
{
    static const double A[] = {2, -1, 0, -1, 2, -1, 0, -1, 2};
    static const double want[] = {0.75, 0.5, 0.25, 0.5, 1, 0.5, 0.25, 0.5, 0.75};
    double got[9];
    struct system s = make_system(c, p, 3, 0, A, NULL);
    vks_dense *inverse = NULL;
    must_work(c, vks_gauss_jordan_invert(s.A, &inverse, NULL, &s.report));
    must_work(c, vks_dense_get(inverse, VKS_F64, got, 0));
    for (int e = 0; e < 9; e++)
        cr_expect_float_eq(got[e], want[e], 4 * unit(p), "element %d is %g", e, got[e]);
    cr_expect_float_eq(s.report.determinant_log, log(4), 1e-6);
    cr_expect_float_eq(s.report.reciprocal_condition, 1 / (4.0 * 2.0), 1e-6);
    vks_dense_destroy(inverse);
    free_system(&s);
}

Test(gauss_jordan, the_inverse_of_the_tridiagonal_matrix_of_order_3)
{
    everywhere(inverts);
}

Test(gauss_jordan, an_inconsistent_and_a_dependent_system_are_told_apart)
{
    static const double A[] = {1, 2, 3, 2, 4, 6, 1, 0, 1}, none[] = {1, 3, 1}, many[] = {1, 2, 1};
    vks_context *c = open_host();
    struct system s = make_system(c, PRECISION_F64, 3, 1, A, none);
    cr_expect_eq(run_system(&s, NULL), VKS_REASON_SINGULAR);
    cr_expect_str_eq(
        s.report.detail,
        "the matrix is singular: column 3 depends on those before it (its pivot is 0); its rank is 2 of 3, "
        "and the system is inconsistent: no solution");
    cr_expect_eq(s.report.column, 2);
    cr_expect_eq(s.report.determinant_sign, 0);
    cr_expect_eq(s.report.determinant_log, -INFINITY);
    must_hold_rhs(&s, none);
    free_system(&s);
    s = make_system(c, PRECISION_F64, 3, 1, A, many);
    cr_expect_eq(run_system(&s, NULL), VKS_REASON_SINGULAR);
    cr_expect(strstr(s.report.detail, "the equations are dependent: many solutions"), "%s", s.report.detail);
    vks_dense *inverse = (vks_dense *)1;
    must_work(c, vks_gauss_jordan_invert(s.A, &inverse, NULL, &s.report));
    cr_expect_eq(s.report.reason, VKS_REASON_SINGULAR);
    cr_expect_null(inverse);
    free_system(&s);
    close_context(c);
}

static void is_singular_at(vks_context *c, enum precision p)
{
    enum { ORDER = 150, BAD = 133 }; /* in the second panel */
    double *A = random_vector(p, ORDER * ORDER, 1, 5), B[ORDER] = {0};
    for (int i = 0; i < ORDER; i++)
        A[i * ORDER + BAD] = 0;
    struct system s = make_system(c, p, ORDER, 1, A, B);
    cr_expect_eq(run_system(&s, NULL), VKS_REASON_SINGULAR);
    cr_expect_eq(s.report.column, BAD, "column %u", s.report.column);
    free_system(&s);
    A[7 * ORDER + BAD] = NAN;
    s = make_system(c, p, ORDER, 1, A, B);
    cr_expect_eq(run_system(&s, NULL), VKS_REASON_NOT_FINITE);
    cr_expect_leq(s.report.column, BAD);
    free_system(&s);
    free(A);
}

Test(gauss_jordan, a_column_of_zeros_and_a_nan_end_it_with_their_column)
{
    everywhere(is_singular_at);
}

Test(gauss_jordan, hilberts_matrix_of_order_12_is_nearly_singular_and_its_residual_small)
{
    vks_context *c = open_host();
    double A[144], B[12] = {0};
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 12; j++)
            B[i] += A[12 * i + j] = 1.0 / (i + j + 1);
    struct system s = make_system(c, PRECISION_F64, 12, 1, A, B);
    cr_expect_eq(run_system(&s, NULL), VKS_REASON_CONVERGED);
    cr_expect_lt(s.report.backward_error, 4 * unit(PRECISION_F64));
    cr_expect(s.report.reciprocal_condition > 1e-18 && s.report.reciprocal_condition < 1e-15, "%g",
              s.report.reciprocal_condition);
    cr_expect(strstr(s.report.warning, "nearly singular"), "\"%s\"", s.report.warning);
    cr_expect_float_eq(s.report.determinant_log, log(2.64e-78),
                       0.2); /* G.-F. Choi, "Tricks or treats", 1983 */
    free_system(&s);
    close_context(c);
}

/* Every step takes another row. */
static void permutes(vks_context *c, enum precision p)
{
    enum { ORDER = 141 };
    double A[ORDER * ORDER] = {0}, B[ORDER], X[ORDER];
    for (int i = 0; i < ORDER; i++) {
        int j = (i * 50 + 17) % ORDER;
        A[i * ORDER + j] = 1;
        B[i] = i;
        X[j] = i;
    }
    struct system s = make_system(c, p, ORDER, 1, A, B);
    cr_expect_eq(run_system(&s, NULL), VKS_REASON_CONVERGED);
    must_hold_rhs(&s, X);
    cr_expect_eq(s.report.determinant_sign, parity(ORDER, 50, 17));
    cr_expect_eq(s.report.determinant_log, 0);
    cr_expect_float_eq(s.report.reciprocal_condition, 1, 200 * unit(p));
    cr_expect_eq(s.report.backward_error, 0);
    free_system(&s);
}

Test(gauss_jordan, a_permuted_identity_is_solved_exactly)
{
    everywhere(permutes);
}

static void takes_a_zero_pivot(vks_context *c, enum precision p)
{
    static const double A[] = {0, 2, 1, 1, 0, 0, 3, 0, 1}, X[] = {1, 2, 2, 2, 1, 3};
    static const double B[] = {5, 7, 1, 2, 4, 9};
    struct system s = make_system(c, p, 3, 2, A, B);
    cr_expect_eq(run_system(&s, NULL), VKS_REASON_CONVERGED);
    must_be_near(&s, X, 4);
    free_system(&s);
}

Test(gauss_jordan, zeros_on_the_diagonal_of_a_regular_matrix_do_no_harm)
{
    everywhere(takes_a_zero_pivot);
}

Test(gauss_jordan, of_equal_pivots_the_first_row_is_taken)
{
    static const double A[] = {1, 5, -1, 7}, B[] = {6, 6};
    vks_context *c = open_host();
    struct system s = make_system(c, PRECISION_F64, 2, 1, A, B);
    run_system(&s, NULL);
    cr_expect_eq(s.report.largest_pivot, 12);
    cr_expect_eq(s.report.determinant_sign, 1); /* row 1 first, so that no rows are exchanged, and 1 and 12 */
    cr_expect_eq(s.report.least_pivot_column, 0);
    free_system(&s);
    close_context(c);
}

Test(gauss_jordan, a_solution_that_overflows_is_not_finite)
{
    static const double A[] = {1e-300, 0, 0, 1}, B[] = {1e200, 1};
    vks_context *c = open_host();
    struct system s = make_system(c, PRECISION_F64, 2, 1, A, B);
    cr_expect_eq(run_system(&s, NULL), VKS_REASON_NOT_FINITE);
    cr_expect(strstr(s.report.detail, "overflows"), "%s", s.report.detail);
    free_system(&s);
    close_context(c);
}

Test(gauss_jordan, of_nothing_the_determinant_is_1)
{
    vks_context *c = open_host();
    struct system s = make_system(c, PRECISION_F64, 0, 2, NULL, NULL);
    cr_expect_eq(run_system(&s, NULL), VKS_REASON_CONVERGED);
    cr_expect_eq(s.report.determinant_sign, 1);
    cr_expect_eq(s.report.determinant_log, 0);
    free_system(&s);
    close_context(c);
}

/* Two panels, and the second is no whole number of anything. */
enum { EQUAL = 171 };

static void give_bits(vks_context *c, enum precision p, double *x, double *inverse, struct system *s)
{
    double *A = random_vector(p, EQUAL * EQUAL, 1, 8), *B = random_vector(p, EQUAL * 3, 1, 9);
    vks_dense *I = NULL;
    *s = make_system(c, p, EQUAL, 3, A, B);
    cr_expect_eq(run_system(s, NULL), VKS_REASON_CONVERGED);
    must_work(c, vks_dense_get(s->B, VKS_F64, x, 0));
    must_work(c, vks_gauss_jordan_invert(s->A, &I, NULL, NULL));
    must_work(c, vks_dense_get(I, VKS_F64, inverse, 0));
    vks_dense_destroy(I);
    free_system(s);
    free(A);
    free(B);
    close_context(c);
}

static void must_give_equal_bits(enum precision p, vks_context *other)
{
    double x[2][EQUAL * 3], *inverse[2] = {room(EQUAL * EQUAL, 8), room(EQUAL * EQUAL, 8)};
    struct system s[2];
    give_bits(open_host(), p, x[0], inverse[0], &s[0]);
    give_bits(other, p, x[1], inverse[1], &s[1]);
    must_equal(x[1], x[0], EQUAL * 3, "x");
    must_equal(inverse[1], inverse[0], EQUAL * EQUAL, "the inverse");
    cr_expect_eq(s[0].report.determinant_log, s[1].report.determinant_log);
    cr_expect_eq(s[0].report.reciprocal_condition, s[1].report.reciprocal_condition);
    cr_expect_eq(s[0].report.residual, s[1].report.residual);
    free(inverse[0]);
    free(inverse[1]);
}

Test(gauss_jordan, host_and_lavapipe_give_the_same_bits)
{
    for (enum precision p = 0; p < REAL_PRECISIONS; p++)
        must_give_equal_bits(p, open_gpu());
}

Test(gauss_jordan, the_number_of_workgroups_and_the_instruction_set_make_no_difference)
{
    must_give_equal_bits(PRECISION_F32, open_context(gpu_name(), (struct device_options){.max_groups = 3}));
    must_give_equal_bits(PRECISION_F64, open_context("host", (struct device_options){.host_isa = "base"}));
}

Test(gauss_jordan, a_vector_may_be_solved_for_in_its_place)
{
    static const double A[] = {3, 1, 1, 2}, b[] = {9, 8};
    double x[2];
    vks_context *c = open_host();
    vks_vector *v = NULL;
    struct system s = make_system(c, PRECISION_F64, 2, 0, A, NULL);
    must_work(c, vks_vector_create(c, 2, VKS_F64, &v));
    must_work(c, vks_vector_write(v, 0, 2, VKS_F64, b));
    must_work(c, vks_gauss_jordan_solve_vector(s.A, v, v, NULL, &s.report));
    must_work(c, vks_vector_read(v, 0, 2, VKS_F64, x));
    cr_expect(fabs(x[0] - 2) < 1e-14 && fabs(x[1] - 3) < 1e-14, "%g %g", x[0], x[1]);
    vks_vector_destroy(v);
    free_system(&s);
    close_context(c);
}

Test(gauss_jordan, what_does_not_fit_is_refused)
{
    vks_context *c = open_host(), *other = open_host();
    double v[12] = {0};
    struct system square = make_system(c, PRECISION_F64, 3, 2, v, v),
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
    vks_vector *x = NULL;
    must_work(c, vks_vector_create(c, 4, VKS_F64, &x));
    must_refuse(c, vks_gauss_jordan_solve_vector(square.A, x, x, NULL, &r), VKS_INVALID_ARGUMENT, "b has 4");
    vks_vector_destroy(x);
    free_system(&square);
    free_system(&narrow);
    free_system(&foreign);
    close_context(other);
    close_context(c);
}
