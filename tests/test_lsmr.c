/* LSMR: least squares and least norms compared with LAPACK, every ending, and refusals. */
#include "small_matrix.h"
#include "tests/support/least.h"
#include "vksolve/operator.h"
#include "vksolve/precond.h"

#if VKS_HAVE_LAPACKE
#include <lapacke.h>
#endif

static void same_bits_at(vks_context *host, vks_context *gpu, enum precision p, uint32_t m, uint32_t n)
{
    OWNED_STRUCT(host_csr) A = random_least(p, m, n, 3, m + n);
    OWNED(double) *b = least_right(&A, p, 0.5, 3);
    struct least q = {&A, b, NULL, p, {.history_capacity = 40, .max_iterations = 40, .zero_guess = 1}};
    OWNED_STRUCT(solved) one = solve_least(host, &q), other = solve_least(gpu, &q);
    must_match(&one, &other, n, "lsmr");
    cr_assert(same_bits(one.report.normal_residual, other.report.normal_residual));
}

Test(lsmr, has_the_same_bits_on_both_devices)
{
    static const uint32_t shapes[][2] = {{1, 1},    {31, 33},   {255, 1},    {1, 257},
                                         {256, 31}, {513, 512}, {2049, 513}, {70, 9000}};
    OWNED(vks_context) *host = open_host(), *gpu = open_gpu();
    for (enum precision p = 0; p < PRECISIONS; p++)
        for (int i = 0; i < 8; i++)
            same_bits_at(host, gpu, p, shapes[i][0], shapes[i][1]);
}

#if VKS_HAVE_LAPACKE
/* The x of least norm among those that minimize ||b - A x||. */
static double *by_lapack(const struct host_csr *A, const double *b, bool full_rank)
{
    lapack_int m = (lapack_int)A->rows, n = (lapack_int)A->cols, longer = m > n ? m : n, rank;
    double *dense = room((size_t)m * (size_t)n, 8), *x = room((size_t)longer, 8);
    lapack_int *pivot = room((size_t)n, sizeof *pivot);
    for (uint32_t i = 0; i < A->rows; i++)
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            dense[A->col[k] * (size_t)m + i] += A->val[k];
    memcpy(x, b, A->rows * sizeof *b);
    lapack_int info =
        full_rank ? LAPACKE_dgels(LAPACK_COL_MAJOR, 'N', m, n, 1, dense, m, x, longer)
                  : LAPACKE_dgelsy(LAPACK_COL_MAJOR, m, n, 1, dense, m, x, longer, pivot, 1e-12, &rank);
    cr_assert_eq(info, 0);
    free(dense);
    free(pivot);
    return x;
}

/* As close to LAPACK's x as the tolerance, 1e-12, times a condition number below 1e4 permits. */
static void agree_with_lapack(vks_context *c, const struct host_csr *A, const double *b, bool full_rank,
                              int least)
{
    double *want = by_lapack(A, b, full_rank), largest = 0;
    struct least q = {A, b, NULL, PRECISION_F64, {.rtol = 1e-12, .max_iterations = 5000, .zero_guess = 1}};
    OWNED_STRUCT(solved) s = solve_least(c, &q);
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect_eq(s.report.least_squares, least);
    for (uint32_t j = 0; j < A->cols; j++)
        largest = fmax(largest, fabs(want[j]));
    for (uint32_t j = 0; j < A->cols; j++)
        cr_assert(fabs(want[j] - s.x[j]) <= 1e-7 * largest, "x[%u] is %g, and %g by LAPACK", j, s.x[j],
                  want[j]);
    free(want);
}

/* Rows with a diagonal in addition to random entries: full rank. */
static struct host_csr of_full_rank(uint32_t m, uint32_t n)
{
    struct host_csr A = random_least(PRECISION_F64, m, n, 0, 77);
    for (uint32_t i = 0; i < m; i++)
        for (uint32_t k = A.row[i]; k < A.row[i + 1]; k++)
            A.val[k] *= A.col[k] % 40 == i % 40 ? 8 : 0.5;
    return A;
}

TestOnBoth(lsmr, finds_least_squares_and_least_norms_as_lapack_does)
{
    static const struct {
        uint32_t m, n;
        bool full_rank;
        double noise;
    } tried[] = {{400, 40, true, 1}, {400, 40, true, 0}, {40, 400, false, 0}};
    for (int i = 0; i < 3; i++) {
        OWNED_STRUCT(host_csr) A = of_full_rank(tried[i].m, tried[i].n);
        OWNED(double) *b = least_right(&A, PRECISION_F64, tried[i].noise, 9);
        agree_with_lapack(c, &A, b, tried[i].full_rank, tried[i].noise > 0);
    }
}
#endif

/* A of rank n - 1 (the last column equals the first one), empty rows and columns, and b outside its range:
 * A^T r decides. */
TestEverywhere(lsmr, solves_what_has_not_full_rank)
{
    static const uint32_t row[] = {0, 2, 2, 4, 6, 7}, col[] = {0, 3, 1, 3, 0, 1, 1};
    static const double val[] = {2, 2, 1, 0, -1, 4, 8}, b[] = {1, 7, -2, 3, 0.5};
    struct host_csr A = {.rows = 5,
                         .cols = 4,
                         .row = (uint32_t *)(uintptr_t)row,
                         .col = (uint32_t *)(uintptr_t)col,
                         .val = (double *)(uintptr_t)val};
    struct least q = {&A, b, NULL, p, {.zero_guess = 1}};
    OWNED_STRUCT(solved) s = solve_least(c, &q);
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect_eq(s.report.least_squares, 1);
    cr_expect_eq(s.x[2], 0, "the unknown of an empty column is %g", s.x[2]);
}

/* An unsymmetric square system, from a nonzero x; a good start takes no iteration. */
TestEverywhere(lsmr, solves_square_systems)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(200, -2, 4, -0.5);
    OWNED(double) *b = least_right(&A, p, 0, 4), *x0 = random_vector(PRECISION_F32, 200, 1, 6);
    struct least q = {&A, b, x0, p, {.history_capacity = 500}};
    OWNED_STRUCT(solved) s = solve_least(c, &q);
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect_eq(s.report.least_squares, 0);
    q.x0 = s.x;
    OWNED_STRUCT(solved) again = solve_least(c, &q);
    must_end(&again, VKS_REASON_CONVERGED);
    cr_expect_eq(again.report.iterations, 0);
}

/* Squares of entries, and products of entries with residuals, exceed the range of doubles. */
TestOnHost(lsmr, solves_near_the_ends_of_the_range)
{
    static const int of_A[] = {900, -700, 600, -600}, of_b[] = {500, -400, 900, -800};
    for (int i = 0; i < 8; i++) {
        OWNED_STRUCT(host_csr) A = tridiagonal(200, -2, 4, -0.5);
        double *b = least_right(&A, PRECISION_F64, 0, 4);
        for (uint32_t k = 0; k < A.row[200]; k++)
            A.val[k] = ldexp(A.val[k], of_A[i % 4]);
        for (uint32_t k = 0; k < 200; k++)
            b[k] = ldexp(b[k], of_b[i % 4]);
        A.rows = i < 4 ? 200 : 150; /* more columns than rows */
        vks_matrix *on = least_matrix(c, &A, PRECISION_F64);
        vks_vector *right = vector_of(c, PRECISION_F64, b, A.rows),
                   *x = vector_of(c, PRECISION_F64, NULL, 200);
        vks_solve_report r;
        must_work(c, vks_solve(on, right, x, &(vks_solve_options){.method = VKS_METHOD_LSMR}, &r));
        cr_expect_eq(r.reason, VKS_REASON_CONVERGED, "%d: %s, %s", i, vks_reason_name(r.reason), r.detail);
        cr_expect(isfinite(r.normal_residual), "%d: %g", i, r.normal_residual);
        vks_vector_destroy(x);
        vks_vector_destroy(right);
        vks_matrix_destroy(on);
        free(b);
        A.rows = 200;
    }
}

TestEverywhere(lsmr, ends_at_once_where_zero_is_the_solution)
{
    static const uint32_t row[] = {0, 1, 2, 2}, col[] = {0, 1};
    static const double val[] = {1, 2}, nothing[2], zero[3], across[] = {0, 0, 5}, x0[] = {3, 4};
    const struct {
        const double *val, *b;
        int least;
    } tried[] = {{val, zero, 0}, {val, across, 1}, {nothing, across, 1}};
    for (int i = 0; i < 3; i++) {
        struct host_csr A = {.rows = 3,
                             .cols = 2,
                             .row = (uint32_t *)(uintptr_t)row,
                             .col = (uint32_t *)(uintptr_t)col,
                             .val = (double *)(uintptr_t)tried[i].val};
        struct least q = {&A, tried[i].b, x0, p, {.zero_guess = i > 0}};
        OWNED_STRUCT(solved) s = solve_least(c, &q);
        must_end(&s, VKS_REASON_CONVERGED);
        cr_expect_eq(s.report.iterations, 0);
        cr_expect_eq(s.report.least_squares, tried[i].least);
        cr_expect(s.x[0] == 0 && s.x[1] == 0);
    }
}

/* Row i has base^i on the diagonal and to the right of it. */
static struct host_csr graded(uint32_t n, double base)
{
    struct host_csr A = tridiagonal(n, 0, 1, 1);
    double size = 1;
    for (uint32_t i = 0; i < n; i++, size *= base)
        for (uint32_t k = A.row[i]; k < A.row[i + 1]; k++)
            A.val[k] *= size;
    return A;
}

TestEverywhere(lsmr, ends_for_a_reason_where_it_does_not_converge)
{
    double tiny = p == PRECISION_F32 ? 0x1p-100 : 0x1p-700;
    OWNED_STRUCT(host_csr) A = graded(40, 0.5), B = tridiagonal(40, 0, 1, 0.5), C = tridiagonal(3, 0, 1, 0);
    double *b = least_right(&A, p, 1, 2), *d = least_right(&B, p, 0, 3), e[] = {1, 0, 0};
    const struct {
        const struct host_csr *A;
        const double *b;
        vks_solve_options o;
        vks_reason reason;
        const char *detail;
    } tried[] = {
        {&A, b, {.max_iterations = 3}, VKS_REASON_ITERATION_LIMIT, ""},
        {&B, d, {.rtol = tiny, .max_iterations = 100000}, VKS_REASON_STAGNATED, "at rounding level"}};
    for (int i = 0; i < 2; i++) {
        struct least q = {tried[i].A, tried[i].b, NULL, p, tried[i].o};
        OWNED_STRUCT(solved) s = solve_least(c, &q);
        must_end(&s, tried[i].reason);
        cr_expect(strstr(s.report.detail, tried[i].detail), "%s", s.report.detail);
    }
    C.val[0] = NAN;
    OWNED_STRUCT(solved) s = solve_least(c, &(struct least){&C, e, NULL, p, {.zero_guess = 1}});
    must_end(&s, VKS_REASON_NOT_FINITE);
    free(b);
    free(d);
}

/* A^T b is not zero, but its square is. */
TestEverywhere(lsmr, breaks_down_where_a_norm_vanishes)
{
    bool narrow = p == PRECISION_F32;
    static const uint32_t row[] = {0, 1, 2}, col[] = {0, 0};
    double val[] = {narrow ? 0x1p-90 : 0x1p-600, 1}, b[] = {1, 0};
    struct host_csr A = {.rows = 2,
                         .cols = 1,
                         .row = (uint32_t *)(uintptr_t)row,
                         .col = (uint32_t *)(uintptr_t)col,
                         .val = val};
    struct least q = {&A, b, NULL, p, {.rtol = narrow ? 0x1p-120 : 0x1p-900, .zero_guess = 1}};
    OWNED_STRUCT(solved) s = solve_least(c, &q);
    must_end(&s, VKS_REASON_BREAKDOWN);
    cr_expect(strstr(s.report.detail, "bidiagonalization"), "%s", s.report.detail);
}
