/* The bound of the eigenvalues in the Chebyshev preconditioner, and matrices that it refuses. */
#include "small_matrix.h"
#include "tests/support/operator.h"
#include "tests/support/precond.h"

#if VKS_HAVE_LAPACKE
#include <lapacke.h>
#endif

static void must_bound(vks_context *c, const struct host_csr *A, enum precision p, double largest)
{
    OWNED(vks_matrix) *m = put_on(c, A, p, VKS_FORMAT_AUTO);
    double bound = bound_of(c, m, p);
    cr_expect(bound >= largest && bound <= 1.2 * largest, "%u rows: %g for %g", A->rows, bound, largest);
}

/* Their diagonals are constant: the largest eigenvalue of D^-1 A is 1 + cos(pi / (size + 1)). */
TestEverywhere(chebyshev_bound, bounds_the_eigenvalues_of_poisson_problems)
{
    static const uint32_t sizes[] = {1, 2, 3, 8, 20};
    for (int kind = 0; kind < 2; kind++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            OWNED_STRUCT(host_csr) A = model(kind ? "poisson3d" : "poisson2d", sizes[i]);
            must_bound(c, &A, p, 1 + cos(acos(-1) / (sizes[i] + 1)));
        }
}

#if VKS_HAVE_LAPACKE
static double largest_eigenvalue(const struct host_csr *A)
{
    uint32_t n = A->rows;
    OWNED(double) *dense = room((size_t)n * n, 8), *w = room(n, 8);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            dense[(size_t)i * n + A->col[k]] =
                A->val[k] / sqrt(diagonal_at(A, i)) / sqrt(diagonal_at(A, A->col[k]));
    cr_assert_eq(LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'N', 'U', (int)n, dense, (int)n, w), 0);
    return w[n - 1];
}

/* Rows and columns times powers of two, which do not change D^-1 A. */
TestEverywhere(chebyshev_bound, bounds_the_eigenvalues_that_lapack_finds_however_rows_are_scaled)
{
    for (uint32_t n = 3; n < 300; n += 49) {
        OWNED_STRUCT(host_csr) A = random_spd(p, n, n);
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t k = A.row[i]; k < A.row[i + 1]; k++)
                A.val[k] = ldexp(A.val[k], (int)(i % 19) + (int)(A.col[k] % 19));
        must_bound(c, &A, p, largest_eigenvalue(&A));
    }
}
#endif

static void must_find(vks_context *c, const struct host_csr *A, vks_precond_options o, vks_reason reason,
                      uint32_t row, const char *part)
{
    struct diagnosis f = {0};
    OWNED(vks_matrix) *m = put_on(c, A, PRECISION_F64, VKS_FORMAT_AUTO);
    struct precond *M = make_precond(c, m, PRECISION_F64, o, &f);
    cr_expect_eq(f.reason, reason, "%s: %s", vks_reason_name(f.reason), f.detail);
    cr_expect_eq(f.row, row);
    cr_expect(strstr(f.detail, part), "%s", f.detail);
    precond_destroy(M);
}

TestOnBoth(chebyshev_bound, a_matrix_that_does_not_suit_is_refused_with_its_row_or_its_numbers)
{
    static const vks_precond_options none = {.kind = VKS_PRECOND_NONE};
    vks_precond_options plain = of_degree(0), of_identity = {.kind = VKS_PRECOND_CHEBYSHEV, .inner = &none};
    OWNED_STRUCT(host_csr) A = random_spd(PRECISION_F64, 50, 1);
    uint32_t at = 0;
    while (A.col[A.row[7] + at] != 7)
        at++;
    double *of_row = &A.val[A.row[7] + at], kept = *of_row;
    *of_row = 0;
    must_find(c, &A, plain, VKS_REASON_ZERO_DIAGONAL, 7, "row 8 has a zero or missing diagonal entry");
    *of_row = -kept;
    must_find(c, &A, plain, VKS_REASON_NOT_POSITIVE_DEFINITE, 7, "row 8 has a negative diagonal entry");
    *of_row = kept;
    A.val[A.row[8]] = INFINITY;
    must_find(c, &A, plain, VKS_REASON_NOT_FINITE, UINT32_MAX, "has no bound: z.Az = ");
    A.val[A.row[8]] = 0;
    for (uint32_t k = 0; k < A.row[50]; k++)
        A.val[k] = -A.val[k];
    must_find(c, &A, of_identity, VKS_REASON_NOT_POSITIVE_DEFINITE, UINT32_MAX, "is not positive");
}

/* The identity replaces a diagonal that an operator lacks. */
TEST_BY(with_operators, chebyshev_bound, an_operator_without_a_diagonal_takes_the_identity_and_refuses_jacobi,
        vks_context *c, enum precision p)
{
    static const vks_precond_options jacobi = {.kind = VKS_PRECOND_JACOBI};
    vks_precond_options o = of_degree(2);
    vks_operator d = poisson_operator(9, false, public_precision(p));
    OWNED(vks_matrix) *A = NULL;
    must_work(c, vks_operator_create(c, 81, &d, &A));
    precond_destroy(make_good(c, A, p, o));
    o.inner = &jacobi;
    must_refuse(c, precond_check(A, &o), VKS_UNSUPPORTED, "the diagonal, which the operator was not given");
    o.inner = NULL;
    o.degree = VKS_LARGEST_DEGREE + 1;
    context_begin(c);
    must_refuse(c, precond_check(A, &o), VKS_INVALID_ARGUMENT, "degree 5; 1 to 4 are allowed");
}
