/* Shared by the suites of the methods for any matrix: textbook versions in long double, a walk over sizes
 * that compares the bits of both devices, and endings. */
#ifndef VKS_TESTS_KRYLOV_H
#define VKS_TESTS_KRYLOV_H

#include "small_matrix.h"
#include "tests/support/unsymmetric.h"

/* A problem for the method, with A unchanged. */
static inline struct problem problem_of(vks_method method, const struct host_csr *A, const double *b,
                                        enum precision p, vks_solve_options o)
{
    o.method = method;
    o.scaling = VKS_SCALING_NONE;
    return (struct problem){.A = A, .b = b, .p = p, .options = o};
}

/* t = A v */
static inline void wide_product(const struct host_csr *A, const long double *v, long double *t)
{
    for (uint32_t i = 0; i < A->rows; i++) {
        t[i] = 0;
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            t[i] += A->val[k] * v[A->col[k]];
    }
}

static inline long double wide_dot(uint32_t n, const long double *a, const long double *b)
{
    long double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static inline double wide_norm(uint32_t n, const long double *v)
{
    return (double)sqrtl(wide_dot(n, v, v));
}

/* y -= alpha v */
static inline void wide_take_off(uint32_t n, long double alpha, const long double *v, long double *y)
{
    for (uint32_t i = 0; i < n; i++)
        y[i] -= alpha * v[i];
}

static inline void wide_copy(uint32_t n, const double *from, long double *to)
{
    for (uint32_t i = 0; i < n; i++)
        to[i] = from[i];
}

/* Solves A x = b on both devices, with the same bits; frees A and b. */
static inline void must_converge_on_both(vks_context *host, vks_context *gpu, vks_method method,
                                         struct host_csr *A, double *b, enum precision p, vks_solve_options o,
                                         const char *what)
{
    struct problem q = problem_of(method, A, b, p, o);
    OWNED_STRUCT(solved) s = solve_on_both(host, gpu, &q, what);
    must_end(&s, VKS_REASON_CONVERGED);
    free(b);
    host_csr_free(A);
}

/* Solves random systems around the sizes of tiles on both devices, with three preconditioners in turn. */
static inline void walk_over_sizes(vks_method method, enum precision p, vks_solve_options o)
{
    static const uint32_t sizes[] = {1, 2, 33, 257, 2049};
    static const vks_precond_kind kinds[] = {VKS_PRECOND_JACOBI, VKS_PRECOND_BLOCK_JACOBI, VKS_PRECOND_NONE};
    OWNED(vks_context) *host = open_host(), *gpu = open_gpu();
    o.history_capacity = 500;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct host_csr A = random_unsymmetric(p, sizes[k], 10 + k);
        double *b = random_right_side(&A, p, 20 + k);
        o.precond = kinds[k % 3];
        must_converge_on_both(host, gpu, method, &A, b, p, o, vks_precond_name(o.precond));
    }
}

/* L U with ones on both diagonals, and other entries from -1, 0 and 1. */
static inline struct host_csr unimodular(uint32_t n, uint64_t seed)
{
    double L[8][8], U[8][8];
    struct host_csr A = new_csr(n, n, n * n);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            double v = random_below(&seed, 3) - 1.0;
            L[i][j] = i == j ? 1 : i > j ? v : 0;
            U[i][j] = i == j ? 1 : i < j ? v : 0;
        }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            A.col[i * n + j] = j;
            for (uint32_t k = 0; k < n; k++)
                A.val[i * n + j] += L[i][k] * U[k][j];
        }
        A.row[i + 1] = (i + 1) * n;
    }
    return A;
}

/* Small whole numbers, for which a shadow vector of signs is often orthogonal to a direction: systems of a
 * few rows, and right-hand sides of a few elements. */
static inline void walk_over_whole_numbers(vks_method method)
{
    OWNED(vks_context) *host = open_host(), *gpu = open_gpu();
    vks_solve_options o = {.precond = VKS_PRECOND_NONE, .history_capacity = 500};
    for (uint32_t k = 0; k < 96; k++) {
        bool few = k < 64;
        uint32_t n = few ? 1 + k % 8 : 150;
        struct host_csr A = few ? unimodular(n, k) : tridiagonal(n, -1, 4, -2);
        double *b = room(n, 8);
        b[k * 7 % n] = 1;
        b[k * 5 % n] -= 2;
        must_converge_on_both(host, gpu, method, &A, b, PRECISION_F64, o,
                              few ? "few rows" : "a few elements");
    }
}

/* Solves without a preconditioner, unless one is named, on the host. If b is NULL, it is 1, 2, 3, 1 ... */
static inline struct solved solve_to_the_end(vks_context *c, vks_method method, const struct host_csr *A,
                                             const double *b, vks_solve_options o)
{
    OWNED(double) *counted = room(A->rows, 8);
    for (uint32_t i = 0; i < A->rows; i++)
        counted[i] = 1 + i % 3;
    if (!o.precond)
        o.precond = VKS_PRECOND_NONE;
    o.history_capacity = 2000;
    struct problem q = problem_of(method, A, b ? b : counted, PRECISION_F64, o);
    return solve(c, &q);
}

static inline void must_say(const struct solved *s, vks_reason reason, const char *part)
{
    must_end(s, reason);
    cr_expect(strstr(s->report.detail, part), "\"%s\" does not say \"%s\"", s->report.detail, part);
    cr_expect_leq(s->report.true_residual, s->report.initial_residual, "the best x is kept");
}

/* The same, and frees the result. */
static inline void must_end_so(vks_context *c, vks_method method, const struct host_csr *A, const double *b,
                               vks_solve_options o, vks_reason reason, const char *part)
{
    OWNED_STRUCT(solved) s = solve_to_the_end(c, method, A, b, o);
    must_say(&s, reason, part);
}

/* Endings that every method has: the iteration limit, and a NaN in a product. */
static inline void must_end_at_limits_and_nans(vks_context *c, vks_method method)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(40, -1, 4, -1);
    OWNED_STRUCT(solved) s = solve_to_the_end(c, method, &A, NULL, (vks_solve_options){.max_iterations = 7});
    must_say(&s, VKS_REASON_ITERATION_LIMIT, "");
    cr_expect_eq(s.report.iterations, 7);
    solved_free(&s);
    A.val[A.row[7]] = NAN;
    s = solve_to_the_end(c, method, &A, NULL, (vks_solve_options){0});
    must_end(&s, VKS_REASON_NOT_FINITE);
}

/* Row i has a one in column i + 1; the last row has it in the first. */
static inline struct host_csr cyclic_shift(uint32_t n)
{
    struct host_csr A = new_csr(n, n, n);
    for (uint32_t i = 0; i < n; i++) {
        A.col[i] = (i + 1) % n;
        A.val[i] = 1;
        A.row[i + 1] = i + 1;
    }
    return A;
}

#endif
