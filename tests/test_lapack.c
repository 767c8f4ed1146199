/* Direct solution with LAPACK. */
#include "command/lapack/lapack.h"
#include "command/lapack/library.h"
#include "command/models/generate_matrix.h"
#include "small_matrix.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

Test(lapack, rectangles_are_refused)
{
    uint32_t row[] = {0, 0};
    double b[1] = {0}, x[2];
    struct host_csr a = {.rows = 1, .cols = 2, .row = row};
    struct lapack_result out;
    cr_assert_eq(lapack_solve(NULL, &a, false, b, x, SIZE_MAX, &out), VKS_INVALID_ARGUMENT);
    cr_assert(!out.solved);
}

Test(lapack, a_library_without_its_functions_is_not_taken)
{
    struct lapack_library l;
    cr_expect_not(lapack_open(&l, (const char *const[]){"libm.so.6", "libthere_is_none.so", NULL}));
}

#ifndef VKS_HAVE_LAPACKE

Test(lapack, its_absence_is_noted)
{
    OWNED_STRUCT(host_csr) a = tridiagonal(1, 0, 1, 0);
    double b[1] = {1}, x[1];
    struct lapack_result out;
    cr_assert_eq(lapack_solve(NULL, &a, true, b, x, SIZE_MAX, &out), VKS_OK);
    cr_assert(out.solved || strstr(out.note, "liblapacke.so.3, is not installed"));
}

#else

/* Solves for b = A (1, 2, 3, 1, 2, 3 ...) and, if solved, checks that x. */
static struct lapack_result solve(const struct host_csr *a, bool positive, size_t limit)
{
    OWNED(double) *b = calloc(a->rows + 1, sizeof *b), *x = calloc(a->rows + 1, sizeof *x);
    struct lapack_result out;
    struct message m = {0};
    for (uint32_t i = 0; i < a->rows; i++)
        for (size_t k = a->row[i]; k < a->row[i + 1]; k++)
            b[i] += a->val[k] * (1 + a->col[k] % 3);
    cr_assert_eq(lapack_solve(&m, a, positive, b, x, limit, &out), VKS_OK, "%s", m.text);
    if (out.solved) {
        cr_assert_lt(out.true_residual, 1e-13);
        cr_assert(out.seconds >= 0 && out.memory_bytes <= (double)limit);
        for (uint32_t i = 0; i < a->rows; i++)
            cr_assert_float_eq(x[i], 1 + i % 3, 1e-10, "%s: x[%u] = %g", out.method, i, x[i]);
    } else {
        cr_assert(isnan(out.true_residual) && out.note[0]);
    }
    return out;
}

static void assert_method(const struct lapack_result *out, const char *method)
{
    cr_assert(out->solved, "%s", out->note);
    cr_assert_str_eq(out->method, method);
}

/* Random values on a band of half-width `width`, some omitted, in random order. */
static struct host_csr random_nonsymmetric(uint32_t n, uint32_t width)
{
    size_t most = (size_t)n * (2 * width + 1), count = 0;
    OWNED(uint32_t) *row = malloc(most * sizeof *row), *col = malloc(most * sizeof *col);
    OWNED(double) *val = malloc(most * sizeof *val);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i < width ? 0 : i - width; j <= i + width && j < n; j++) {
            if (i != j && below(3) == 0)
                continue;
            row[count] = i;
            col[count] = j;
            val[count++] = i == j ? 2.0 * width : (double)below(1000) / 500 - 1;
        }
    struct host_csr banded = assemble(n, count, row, col, val), a = shuffle(&banded);
    host_csr_free(&banded);
    return a;
}

Test(lapack, small_dense_patterns_take_dense_cholesky)
{
    OWNED_STRUCT(host_csr) a = model("elasticity3d", 2);
    struct lapack_result out = solve(&a, true, SIZE_MAX);
    assert_method(&out, "dense Cholesky (dpotrf)");
    cr_assert_eq(out.note[0], '\0');
    out = solve(&a, false, SIZE_MAX);
    assert_method(&out, "dense LU (dgetrf)");
}

Test(lapack, a_shuffled_grid_takes_banded_cholesky)
{
    OWNED_STRUCT(host_csr) a;
    OWNED_STRUCT(host_csr) grid = model("poisson2d", 30);
    a = shuffle(&grid);
    struct lapack_result out = solve(&a, true, 1 << 20); /* dense would need 6.5 MB */
    assert_method(&out, "banded Cholesky (dpbtrf)");
    cr_assert(out.bandwidth >= 30 && out.bandwidth <= 32);
    cr_assert_eq(out.memory_bytes, 8.0 * 900 * (out.bandwidth + 1) + 8 * 900);
}

Test(lapack, nonsymmetric_bands_are_solved)
{
    for (uint32_t width = 1; width < 6; width++) {
        OWNED_STRUCT(host_csr) a = random_nonsymmetric(400, width);
        struct lapack_result out = solve(&a, false, SIZE_MAX);
        assert_method(&out, "banded LU (dgbtrf)");
    }
}

Test(lapack, one_sided_bands_are_solved)
{
    for (int side = 0; side < 2; side++) {
        OWNED_STRUCT(host_csr) a = tridiagonal(50, side ? 1 : 0, 3, side ? 0 : 1);
        struct lapack_result out = solve(&a, false, SIZE_MAX);
        cr_assert(out.solved);
    }
}

/* Both give the same known solution; the second limit is what dense storage takes, less than the band. */
Test(lapack, dense_and_banded_agree)
{
    OWNED_STRUCT(host_csr) a = random_nonsymmetric(60, 18);
    struct lapack_result banded = solve(&a, false, SIZE_MAX), dense;
    assert_method(&banded, "banded LU (dgbtrf)");
    dense = solve(&a, false, (size_t)(8 * 60 * 60 + 8 * 60 + 4 * 60));
    assert_method(&dense, "dense LU (dgetrf)");
}

Test(lapack, an_indefinite_matrix_falls_back_to_lu)
{
    OWNED_STRUCT(host_csr) a = tridiagonal(300, 1, 0.5, 1);
    a.val[0] = -7;
    struct lapack_result out = solve(&a, true, SIZE_MAX);
    assert_method(&out, "banded LU (dgbtrf)");
    cr_assert(strstr(out.note, "not positive definite: LAPACK stopped at pivot ") == out.note, "%s",
              out.note);
    host_csr_free(&a);

    cr_assert_eq(generate_matrix(NULL, "elasticity3d", 2, &a), VKS_OK);
    for (uint32_t k = a.row[16]; k < a.row[17]; k++)
        if (a.col[k] == 16)
            a.val[k] = -1;
    out = solve(&a, true, SIZE_MAX);
    assert_method(&out, "dense LU (dgetrf)");
    cr_assert_str_eq(out.note, "not positive definite: LAPACK stopped at pivot 17 (row 17)");
}

Test(lapack, an_indefinite_matrix_whose_lu_does_not_fit_is_noted)
{
    OWNED_STRUCT(host_csr) a;
    OWNED_STRUCT(host_csr) grid = model("poisson2d", 30);
    a = shuffle(&grid);
    for (size_t k = a.row[7]; k < a.row[8]; k++)
        if (a.col[k] == 7)
            a.val[k] = -4;
    struct lapack_result out = solve(&a, true, 400000); /* between 8 n 32 and 8 n 94 bytes */
    cr_assert(!out.solved);
    cr_assert_str_eq(out.method, "banded Cholesky (dpbtrf)");
    cr_assert(strstr(out.note, "not positive definite: LAPACK stopped at pivot ") == out.note, "%s",
              out.note);
    cr_assert(strstr(out.note, "; LU needs ") && strstr(out.note, "the limit is 400 kB"), "%s", out.note);
}

Test(lapack, a_singular_matrix_is_noted)
{
    OWNED_STRUCT(host_csr) a = tridiagonal(5, 1, 2, 1);
    a.val[a.row[2]] = a.val[a.row[2] + 1] = a.val[a.row[2] + 2] = 0;
    struct lapack_result out = solve(&a, false, SIZE_MAX);
    cr_assert(!out.solved);
    cr_assert(strstr(out.note, "singular: LAPACK found a zero at pivot "), "%s", out.note);
    out = solve(&a, true, SIZE_MAX);
    cr_assert(!out.solved && strstr(out.note, "singular"));
    host_csr_free(&a);
    a = tridiagonal(1, 0, 0, 0);
    out = solve(&a, false, SIZE_MAX);
    cr_assert_str_eq(out.note, "singular: LAPACK found a zero at pivot 1 (column 1)");
}

/* Multiples of 0.1 do not cancel exactly, so no pivot is zero; b is outside the range of A. */
Test(lapack, a_matrix_singular_to_working_precision_is_noted)
{
    uint32_t row[9], col[9];
    double val[9] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}, b[] = {1, -2, 1}, x[3];
    for (uint32_t k = 0; k < 9; k++)
        row[k] = k / 3, col[k] = k % 3;
    OWNED_STRUCT(host_csr) a = assemble(3, 9, row, col, val);
    struct lapack_result out;
    cr_assert_eq(lapack_solve(NULL, &a, false, b, x, SIZE_MAX, &out), VKS_OK);
    cr_assert(!out.solved && strncmp(out.note, "singular", 8) == 0, "%s %g", out.note, out.true_residual);
}

Test(lapack, a_matrix_beyond_the_limit_is_noted)
{
    OWNED_STRUCT(host_csr) a = model("poisson3d", 20);
    struct lapack_result out = solve(&a, true, 4000000);
    cr_assert(!out.solved);
    cr_assert_str_eq(out.method, "none");
    cr_assert(strstr(out.note, "neither fits: dense needs 512 MB, a band of half-width ") == out.note, "%s",
              out.note);
    cr_assert(strstr(out.note, ", the limit is 4 MB"), "%s", out.note);
    cr_assert_eq(out.memory_bytes, 0);
}

Test(lapack, more_elements_than_32_bits_count_are_refused)
{
    uint32_t n = 50000, *at = malloc(2 * n * sizeof *at), *col = malloc(2 * n * sizeof *col);
    OWNED(double) *val = malloc(2 * n * sizeof *val);
    for (uint32_t i = 0; i < n; i++) {
        at[i] = col[i] = col[n + i] = i;
        at[n + i] = n - 1;
        val[i] = val[n + i] = 1;
    }
    OWNED_STRUCT(host_csr) arrow = assemble(n, 2 * n, at, col, val); /* LU has a wide band in any order */
    struct lapack_result out = solve(&arrow, false, SIZE_MAX);
    cr_assert(!out.solved);
    cr_assert(strstr(out.note, " and 2147483647 elements"), "%s", out.note);
    free(at);
    free(col);
}

Test(lapack, values_that_are_not_finite_are_named)
{
    OWNED_STRUCT(host_csr) a = tridiagonal(5, 1, 2, 1);
    double b[5] = {0}, x[5];
    struct lapack_result out;
    b[3] = NAN;
    cr_assert_eq(lapack_solve(NULL, &a, false, b, x, SIZE_MAX, &out), VKS_OK);
    cr_assert(!out.solved && strcmp(out.note, "row 4 of the right-hand side is not finite") == 0);
    a.val[a.row[2]] = INFINITY;
    cr_assert_eq(lapack_solve(NULL, &a, false, b, x, SIZE_MAX, &out), VKS_OK);
    cr_assert(!out.solved && strcmp(out.note, "the entry in row 3, column 2 is not finite") == 0);
}

Test(lapack, an_overflowing_solution_is_noted)
{
    OWNED_STRUCT(host_csr) a = tridiagonal(2, 0, 1e-300, 0);
    double b[] = {1e300, 1}, x[2];
    struct lapack_result out;
    cr_assert_eq(lapack_solve(NULL, &a, true, b, x, SIZE_MAX, &out), VKS_OK);
    cr_assert(!out.solved && !isfinite(out.true_residual));
    cr_assert_str_eq(out.note, "the solution overflows double precision");
}

Test(lapack, no_rows_and_one_row_work)
{
    struct host_csr none = {.row = (uint32_t[]){0}}, one = tridiagonal(1, 0, 4, 0);
    for (int positive = 0; positive < 2; positive++) {
        struct lapack_result out = solve(&none, positive, 1 << 20);
        cr_assert(out.solved && out.true_residual == 0);
        out = solve(&one, positive, 1 << 20);
        cr_assert(out.solved && out.bandwidth == 0);
    }
    host_csr_free(&one);
}

Test(lapack, a_zero_right_hand_side_has_no_residual)
{
    OWNED_STRUCT(host_csr) a = tridiagonal(20, -1, 2, -1);
    double b[20] = {0}, x[20];
    struct lapack_result out;
    cr_assert_eq(lapack_solve(NULL, &a, true, b, x, SIZE_MAX, &out), VKS_OK);
    cr_assert(out.solved && out.true_residual == 0);
    for (int i = 0; i < 20; i++)
        cr_assert_eq(x[i], 0);
}

#endif
