/* What FSAI refuses: matrices, with the reason and the row; and options. */
#include "small_matrix.h"
#include "solvers/precond.h"
#include "tests/support/preconds.h"

#include <float.h>

/* Six rows of a tridiagonal matrix. */
static struct host_csr six(void)
{
    return tridiagonal(6, -1, 4, -1);
}

/* The entry at row i, column j. */
static double *entry(const struct host_csr *A, uint32_t i, uint32_t j)
{
    for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
        if (A->col[k] == j)
            return &A->val[k];
    cr_assert_fail("no entry %u, %u", i, j);
    return NULL;
}

/* Checks row and reason of a setup, and of new values after a good one. */
static void must_find(vks_context *c, enum precond_use use, const struct host_csr *A, vks_reason reason,
                      uint32_t row, const char *part)
{
    static const vks_precond_options fsai = {.kind = VKS_PRECOND_FSAI};
    OWNED_STRUCT(host_csr) good = six();
    for (int later = 0; later < 2; later++) {
        const struct host_csr *first = later ? &good : A;
        struct diagnosis f = {0};
        struct precond *M;
        OWNED(vks_matrix) *B = matrix_from(c, first, NULL);
        diagnosis_clear(&f);
        must_work(c, precond_create(B, PRECISION_F64, use, &fsai, &f, &M));
        if (later) {
            must_work(c, vks_matrix_set_values(B, VKS_F64, A->val));
            must_work(c, precond_refresh(M, &f));
        }
        cr_expect_eq(f.reason, reason, "%s: %s", vks_reason_name(f.reason), f.detail);
        cr_expect_eq(f.row, row, "row %u", f.row);
        cr_expect(strstr(f.detail, part), "\"%s\" does not say \"%s\"", f.detail, part);
        diagnosis_clear(&f);
        must_work(c, vks_matrix_set_values(B, VKS_F64, good.val));
        must_work(c, precond_refresh(M, &f));
        cr_expect_not(diagnosis_refuses(&f), "good values: %s", f.detail);
        precond_destroy(M);
    }
}

TestOnBoth(fsai_refuse, names_the_first_row_that_is_not_finite_or_has_no_positive_diagonal)
{
    OWNED_STRUCT(host_csr) A = six();
    *entry(&A, 4, 4) = -2;
    must_find(c, PRECOND_FOR_POSITIVE, &A, VKS_REASON_NOT_POSITIVE_DEFINITE, 4, "row 5");
    *entry(&A, 2, 2) = 0;
    must_find(c, PRECOND_FOR_POSITIVE, &A, VKS_REASON_ZERO_DIAGONAL, 2, "row 3");
    *entry(&A, 5, 4) = NAN;
    must_find(c, PRECOND_FOR_POSITIVE, &A, VKS_REASON_NOT_FINITE, 5, "row 6");
    must_find(c, PRECOND_FOR_ANY, &A, VKS_REASON_NOT_FINITE, 5, "row 6");
    *entry(&A, 3, 3) = INFINITY;
    must_find(c, PRECOND_FOR_SYMMETRIC, &A, VKS_REASON_NOT_FINITE, 3, "row 4");
}

/* The pivot of row 4 is a tenth of s, its element in L 500 / s; s is 64 times the least normal number. */
static struct host_csr overflowing(double s)
{
    struct host_csr A = six();
    *entry(&A, 2, 1) = *entry(&A, 1, 2) = *entry(&A, 3, 4) = *entry(&A, 4, 3) = 0;
    *entry(&A, 2, 2) = 0.02 * s;
    *entry(&A, 2, 3) = *entry(&A, 3, 2) = s;
    *entry(&A, 3, 3) = 50.1 * s;
    return A;
}

TestOnBoth(fsai_refuse, names_the_first_row_whose_factors_overflow)
{
    OWNED_STRUCT(host_csr) A = overflowing(64 * DBL_MIN);
    must_find(c, PRECOND_FOR_ANY, &A, VKS_REASON_NOT_FINITE, 3, "row 4 of the factors overflows");
}

/* A solve ends before its first product. */
TestOnBoth(fsai_refuse, names_it_in_a_solve)
{
    static const vks_precond_options fsai = {.kind = VKS_PRECOND_FSAI, .in_f32 = 1};
    static const double ones[] = {1, 1, 1, 1, 1, 1};
    OWNED_STRUCT(host_csr) A = overflowing(64 * FLT_MIN);
    struct problem p = {.A = &A, .b = ones, .p = PRECISION_F64};
    p.options = (vks_solve_options){.method = VKS_METHOD_IDR,
                                    .scaling = VKS_SCALING_NONE,
                                    .precond_options = &fsai,
                                    .max_iterations = 50};
    OWNED_STRUCT(solved) s = solve(c, &p);
    must_end(&s, VKS_REASON_NOT_FINITE);
    cr_expect_eq(s.report.row, 3);
    cr_expect_str_eq(s.report.detail, "row 4 of the factors overflows, in f32");
}

TestOnHost(fsai_refuse, names_a_row_or_a_column_that_is_all_zero)
{
    OWNED_STRUCT(host_csr) A = six(), B = six();
    *entry(&A, 3, 2) = *entry(&A, 3, 3) = *entry(&A, 3, 4) = 0;
    must_find(c, PRECOND_FOR_ANY, &A, VKS_REASON_SINGULAR, 3, "row 4");
    must_find(c, PRECOND_FOR_SYMMETRIC, &A, VKS_REASON_SINGULAR, 3, "row 4");
    *entry(&B, 2, 3) = *entry(&B, 3, 3) = *entry(&B, 4, 3) = 0;
    must_find(c, PRECOND_FOR_ANY, &B, VKS_REASON_SINGULAR, UINT32_MAX, "column 4");
}

TestOnHost(fsai_refuse, takes_zeros_on_the_diagonal_where_a_method_allows_them)
{
    static const vks_precond_options fsai = {.kind = VKS_PRECOND_FSAI};
    OWNED_STRUCT(host_csr) A = six();
    *entry(&A, 3, 3) = 0;
    for (int use = PRECOND_FOR_ANY; use <= PRECOND_FOR_SYMMETRIC; use++) {
        struct diagnosis f = {0};
        struct precond *M;
        OWNED(vks_matrix) *B = matrix_from(c, &A, NULL);
        diagnosis_clear(&f);
        must_work(c, precond_create(B, PRECISION_F64, use, &fsai, &f, &M));
        cr_expect_not(diagnosis_refuses(&f), "%s", f.detail);
        precond_destroy(M);
    }
}

TestOnHost(fsai_refuse, wants_thirty_two_entries_a_row_at_most)
{
    static const struct {
        vks_precond_options o;
        const char *part;
    } bad[] = {{{.kind = VKS_PRECOND_FSAI, .steps = 33}, "33 steps that add 2"},
               {{.kind = VKS_PRECOND_FSAI, .add = 5}, "8 steps that add 5"},
               {{.kind = VKS_PRECOND_FSAI, .steps = 0x10000, .add = 0x10000}, "32 at most"},
               {{.kind = VKS_PRECOND_FSAI, .degree = 2}, "fsai has no degree"},
               {{.kind = VKS_PRECOND_JACOBI, .add = 2}, "jacobi has no number of entries to add"}};
    OWNED_STRUCT(host_csr) A = six();
    vks_precond *M;
    OWNED(vks_matrix) *B = matrix_from(c, &A, NULL);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        must_refuse(c, vks_precond_create(B, &bad[i].o, &M), VKS_INVALID_ARGUMENT, bad[i].part);
}
