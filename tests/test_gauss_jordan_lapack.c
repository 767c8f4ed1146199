/* Gauss-Jordan elimination against LAPACK: backward errors, inverses, determinants, condition numbers. */
#include "command/lapack/lapack.h"
#include "tests/support/dense_system.h"

#ifdef VKS_HAVE_LAPACKE
#include <lapacke.h>

enum kind { RANDOM, GRADED, SPREAD, DOMINANT, KINDS };
static const char *const kinds[] = {"random", "graded", "spread", "dominant"};

/* Rows of very different sizes; or rows and columns; or a dominant diagonal. */
static double *matrix_of(enum kind kind, uint32_t n, uint64_t seed)
{
    double *A = random_vector(PRECISION_F64, (size_t)n * n, 1, seed);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            double *a = &A[(size_t)i * n + j];
            if (kind == GRADED)
                *a = ldexp(*a, -(int)(40 * i / n));
            if (kind == SPREAD)
                *a = ldexp(*a, (int)(7 * i % 31) - (int)(5 * j % 29));
            if (kind == DOMINANT && i == j)
                *a += 2.0 * n;
        }
    return A;
}

static double sum_of_column(const double *A, uint32_t n, uint32_t cols, uint32_t j)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += fabs(A[(size_t)i * cols + j]);
    return sum;
}

static double norm_of(const double *A, uint32_t n)
{
    double norm = 0;
    for (uint32_t j = 0; j < n; j++)
        norm = fmax(norm, sum_of_column(A, n, n, j));
    return norm;
}

/* |b - A x| / (|A| |x| + |b|) in the 1-norm, with the residual in long double; the largest over m columns. */
static double backward_error(const double *A, const double *B, const double *X, uint32_t n, uint32_t m)
{
    double norm = norm_of(A, n), worst = 0;
    for (uint32_t c = 0; c < m; c++) {
        long double sum = 0;
        for (uint32_t i = 0; i < n; i++) {
            long double r = B[(size_t)i * m + c];
            for (uint32_t j = 0; j < n; j++)
                r -= (long double)A[(size_t)i * n + j] * X[(size_t)j * m + c];
            sum += fabsl(r);
        }
        worst = fmax(worst, (double)sum / (norm * sum_of_column(X, n, m, c) + sum_of_column(B, n, m, c)));
    }
    return worst;
}

static void *copy_of(const double *v, size_t count)
{
    double *copy = room(count, sizeof *copy);
    memcpy(copy, v, count * sizeof *copy);
    return copy;
}

static void must_solve_as_well(vks_context *c, enum kind kind, uint32_t n)
{
    enum { M = 3 };
    double *A = matrix_of(kind, n, 3 + n), *B = random_vector(PRECISION_F64, (size_t)n * M, 2, 4 + n);
    double *LU = copy_of(A, (size_t)n * n), *X = copy_of(B, (size_t)n * M);
    lapack_int *pivot = room(n, sizeof *pivot), order = (lapack_int)n;
    cr_assert_eq(LAPACKE_dgesv(LAPACK_ROW_MAJOR, order, M, LU, order, pivot, X, M), 0);
    double theirs = backward_error(A, B, X, n, M);
    struct system s = make_system(c, PRECISION_F64, n, M, A, B);
    vks_gauss_jordan_options o = {.condition = 1};
    cr_assert_eq(run_system(&s, &o), VKS_REASON_CONVERGED);
    double *x = read_rhs(&s), ours = backward_error(A, B, x, n, M);
    cr_expect_leq(ours, 10 * theirs, "%s, n = %u: backward error %.3g, LAPACK's %.3g", kinds[kind], n, ours,
                  theirs);
    cr_expect_leq(s.report.backward_error, 4 * ours + n * 0x1p-53, "%s: it reports %.3g, and it is %.3g",
                  kinds[kind], s.report.backward_error, ours);

    double log_of = 0, reciprocal = 0;
    int sign = 1;
    for (uint32_t k = 0; k < n; k++) {
        log_of += log(fabs(LU[k * (size_t)n + k]));
        sign *= (LU[k * (size_t)n + k] < 0) ^ (pivot[k] != (lapack_int)k + 1) ? -1 : 1;
    }
    cr_expect_eq(s.report.determinant_sign, sign, "%s, n = %u", kinds[kind], n);
    cr_expect_float_eq(s.report.determinant_log, log_of, 1e-9 * n, "%s, n = %u", kinds[kind], n);
    cr_assert_eq(LAPACKE_dgecon(LAPACK_ROW_MAJOR, '1', order, LU, order, norm_of(A, n), &reciprocal), 0);
    cr_expect(s.report.reciprocal_condition > reciprocal / 3 &&
                  s.report.reciprocal_condition < 3 * reciprocal,
              "%s, n = %u: reciprocal condition %.3g, LAPACK's %.3g", kinds[kind], n,
              s.report.reciprocal_condition, reciprocal);
    system_free(&s);
    free(A), free(B), free(LU), free(X), free(x), free(pivot);
}

TestOnHost(gauss_jordan_lapack, backward_errors_determinants_and_condition_numbers_are_as_good)
{
    static const uint32_t orders[] = {1, 2, 17, 128, 129, 300, 512};
    for (enum kind kind = 0; kind < KINDS; kind++)
        for (int k = 0; k < 7; k++)
            must_solve_as_well(c, kind, orders[k]);
}

/* |A X - I| in the 1-norm over n |A| |X|. */
static double inverse_error(const double *A, const double *X, uint32_t n)
{
    OWNED(double) *R = room((size_t)n * n, sizeof *R);
    for (uint32_t i = 0; i < n; i++) {
        R[(size_t)i * n + i] = -1;
        for (uint32_t k = 0; k < n; k++)
            for (uint32_t j = 0; j < n; j++)
                R[(size_t)i * n + j] = fma(A[(size_t)i * n + k], X[(size_t)k * n + j], R[(size_t)i * n + j]);
    }
    return norm_of(R, n) / (n * norm_of(A, n) * norm_of(X, n));
}

TestOnHost(gauss_jordan_lapack, inverses_are_as_good)
{
    static const uint32_t orders[] = {1, 2, 33, 128, 200, 300};
    for (int k = 0; k < 12; k++) {
        uint32_t n = orders[k % 6];
        enum kind kind = k < 6 ? RANDOM : DOMINANT;
        double *A = matrix_of(kind, n, 9 + n), *theirs = copy_of(A, (size_t)n * n),
               *ours = room((size_t)n * n, 8);
        lapack_int *pivot = room(n, sizeof *pivot), order = (lapack_int)n;
        cr_assert_eq(LAPACKE_dgetrf(LAPACK_ROW_MAJOR, order, order, theirs, order, pivot), 0);
        cr_assert_eq(LAPACKE_dgetri(LAPACK_ROW_MAJOR, order, theirs, order, pivot), 0);
        struct system s = make_system(c, PRECISION_F64, n, 0, A, NULL);
        vks_dense *inverse = NULL;
        must_work(c, vks_gauss_jordan_invert(s.A, &inverse, NULL, &s.report));
        must_work(c, vks_dense_get(inverse, VKS_F64, ours, 0));
        double a = inverse_error(A, ours, n), b = inverse_error(A, theirs, n);
        cr_expect_leq(a, 10 * b + 0x1p-54 / n, "%s, n = %u: %.3g, LAPACK's %.3g", kinds[kind], n, a, b);
        double exact = 1 / (norm_of(A, n) * norm_of(ours, n));
        cr_expect_float_eq(s.report.reciprocal_condition, exact, 1e-9 * exact);
        vks_dense_destroy(inverse);
        system_free(&s);
        free(A), free(theirs), free(ours), free(pivot);
    }
}

/* LAPACK's estimate ascends in the same way. If a step does not increase the norm, LAPACK keeps the smaller
 * one, and here the larger is kept. An estimate is never above the norm itself. */
static void must_estimate_as_well(vks_context *c, enum kind kind, uint32_t n, uint64_t seed)
{
    double *A = matrix_of(kind, n, seed), *LU = copy_of(A, (size_t)n * n), theirs = 0;
    lapack_int *pivot = room(n, sizeof *pivot), order = (lapack_int)n;
    cr_assert_eq(LAPACKE_dgetrf(LAPACK_ROW_MAJOR, order, order, LU, order, pivot), 0);
    cr_assert_eq(LAPACKE_dgecon(LAPACK_ROW_MAJOR, '1', order, LU, order, norm_of(A, n), &theirs), 0);
    struct system s = make_system(c, PRECISION_F64, n, 1, A, A);
    run_system(&s, NULL);
    double ours = s.report.reciprocal_condition;
    vks_dense *inverse = NULL;
    must_work(c, vks_gauss_jordan_invert(s.A, &inverse, NULL, &s.report));
    double exact = s.report.reciprocal_condition;
    cr_expect(ours <= theirs * (1 + 1e-6) && ours >= exact * (1 - 1e-6),
              "%s, n = %u, %lu: 1 / condition is estimated as %.12g, by LAPACK %.12g, and is %.12g",
              kinds[kind], n, (unsigned long)seed, ours, theirs, exact);
    vks_dense_destroy(inverse);
    system_free(&s);
    free(A), free(LU), free(pivot);
}

TestOnHost(gauss_jordan_lapack, estimates_of_condition_numbers_climb_as_high)
{
    for (uint32_t n = 2; n < 40; n++)
        for (uint64_t seed = 1; seed <= 3; seed++)
            for (enum kind kind = 0; kind < SPREAD; kind++)
                must_estimate_as_well(c, kind, n, seed);
    must_estimate_as_well(c, RANDOM, 300, 1);
}
#endif
