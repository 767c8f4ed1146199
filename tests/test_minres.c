/* MINRES: bits of its kernels, its iterates compared with the textbook, what it solves, and each of its
 * endings. */
#include "tests/support/krylov.h"
#include "tests/support/minres_case.h"
#include "tests/support/preconds.h"

static const uint32_t sizes[] = {6, 31, 33, 255, 256, 257, 513, 4099};

/* random_spd with every third diagonal entry below zero. */
static struct host_csr indefinite(enum precision p, uint32_t n)
{
    struct host_csr A = random_spd(p, n, 7);
    for (uint32_t i = 0; i < n; i += 3)
        for (uint32_t k = A.row[i]; k < A.row[i + 1]; k++)
            A.val[k] = A.col[k] == i ? -A.val[k] : A.val[k];
    return A;
}

static void walk(bool row_sums)
{
    OWNED(vks_context) *host = open_host(), *gpu = open_gpu();
    uint32_t groups = gpu->device->info.max_groups;
    for (enum precision p = 0; p < REAL_PRECISIONS; p++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            uint32_t n = sizes[i];
            OWNED_STRUCT(host_csr) A = indefinite(p, n);
            double *r0 = random_vector(p, n, 2, n), rr = rounded(p, canonical_dot(p, r0, r0, n));
            struct minres_job j = {p, &A, r0, row_sums};
            struct minres_result want = {.x = room(n, 8)};
            minres_expect(&j, rr, &want);
            minres_run(host, &j, rr, &want, "host");
            minres_run(gpu, &j, rr, &want, gpu_name());
            gpu->device->info.max_groups = 3;
            minres_run(gpu, &j, rr, &want, "three groups");
            gpu->device->info.max_groups = groups;
            free(want.x);
            free(r0);
        }
}

Test(minres, steps_have_the_defined_bits)
{
    walk(false);
}

Test(minres, steps_with_row_sums_have_the_defined_bits)
{
    walk(true);
}

static struct solved minres(vks_context *c, const struct host_csr *A, const double *b, enum precision p,
                            vks_solve_options o)
{
    o.method = VKS_METHOD_MINRES;
    o.zero_guess = 1;
    o.history_capacity = 100;
    struct problem q = {.A = A, .b = b, .p = p, .options = o};
    return solve(c, &q);
}

/* A times a random x, rounded to p. */
enum { N = 300, FIRST = 6 };

/* The x of least residual in the Krylov space of A and b, without a preconditioner: the normal equations of
 * each space by Gram-Schmidt in long double. */
static void least_residual(const struct host_csr *A, const double *b, uint32_t products, long double *x)
{
    static long double v[FIRST][N], image[FIRST][N];
    long double r[N];
    wide_copy(N, b, r);
    wide_copy(N, b, v[0]);
    for (uint32_t i = 0; i < N; i++)
        x[i] = 0;
    for (uint32_t k = 0; k < products; k++) {
        if (k)
            memcpy(v[k], image[k - 1], sizeof v[k]);
        wide_product(A, v[k], image[k]);
        for (int again = 0; again < 2; again++)
            for (uint32_t l = 0; l < k; l++) {
                long double s = wide_dot(N, image[k], image[l]);
                wide_take_off(N, s, image[l], image[k]);
                wide_take_off(N, s, v[l], v[k]);
            }
        long double square = wide_dot(N, image[k], image[k]), step = wide_dot(N, image[k], r) / square;
        wide_take_off(N, -step, v[k], x);
        wide_take_off(N, step, image[k], r);
        for (uint32_t i = 0; i < N; i++) {
            image[k][i] /= sqrtl(square);
            v[k][i] /= sqrtl(square);
        }
    }
}

TestEverywhere(minres, residuals_are_the_least_of_their_krylov_spaces)
{
    OWNED_STRUCT(host_csr) A = indefinite(p, N);
    double *b = right_side_of_floats(&A, p), u = p == PRECISION_F32 ? 0x1p-24 : 0x1p-53;
    for (uint32_t products = 1; products <= FIRST; products++) {
        long double x[N], norm = 0, off = 0;
        OWNED_STRUCT(solved) s =
            minres(c, &A, b, p,
                   (vks_solve_options){
                       .precond = VKS_PRECOND_NONE, .scaling = VKS_SCALING_NONE, .max_iterations = products});
        must_end(&s, VKS_REASON_ITERATION_LIMIT);
        cr_assert_eq(s.report.iterations, products);
        least_residual(&A, b, products, x);
        for (uint32_t i = 0; i < N; i++) {
            norm += x[i] * x[i];
            off += (x[i] - s.x[i]) * (x[i] - s.x[i]);
        }
        cr_assert(sqrtl(off / norm) <= 1000 * u, "after %u products x is off by %Lg", products,
                  sqrtl(off / norm));
        double own = s.report.residual, rest = s.report.true_residual;
        cr_assert(fabs(own - rest) <= 1000 * u, "history has %g, the true residual is %g", own, rest);
    }
    free(b);
}

TestEverywhere(minres, solves_indefinite_systems_and_its_residual_falls)
{
    static const vks_precond_kind kinds[] = {VKS_PRECOND_AUTO, VKS_PRECOND_NONE, VKS_PRECOND_ROW_SUM};
    OWNED_STRUCT(host_csr) A = indefinite(p, 1000);
    OWNED(double) *b = right_side_of_floats(&A, p);
    for (int k = 0; k < 3; k++) {
        OWNED_STRUCT(solved) s = minres(c, &A, b, p, (vks_solve_options){.precond = kinds[k]});
        must_end(&s, VKS_REASON_CONVERGED);
        cr_expect_eq(s.report.precond, k == 1 ? VKS_PRECOND_NONE : VKS_PRECOND_ROW_SUM);
        for (uint32_t i = 1; i < s.report.history_count && !s.report.restarts; i++)
            cr_assert_leq(s.history[i], s.history[i - 1]);
    }
}

TestOnHost(minres, solves_in_mixed_precision)
{
    OWNED_STRUCT(host_csr) A = indefinite(PRECISION_F32, N);
    OWNED(double) *b = right_side_of_floats(&A, PRECISION_F64);
    OWNED_STRUCT(solved) s = minres(c, &A, b, PRECISION_MIXED, (vks_solve_options){0});
    must_end(&s, VKS_REASON_CONVERGED);
}

/* Preconditioners that run between the kernels, and one that is the same in all rows. */
Test(minres, preconditioners_that_are_no_diagonals_give_the_same_bits_on_host_and_gpu)
{
    static const vks_precond_options kinds[] = {{.kind = VKS_PRECOND_AMG},
                                                {.kind = VKS_PRECOND_CHEBYSHEV, .degree = 3},
                                                {.kind = VKS_PRECOND_BLOCK_JACOBI},
                                                {.kind = VKS_PRECOND_JACOBI},
                                                {.kind = VKS_PRECOND_ROW_SUM, .in_f32 = 1},
                                                {.kind = VKS_PRECOND_ROW_SUM}};
    OWNED(vks_context) *host = open_host(), *gpu = open_gpu();
    OWNED_STRUCT(host_csr) A = generated("poisson2d", 24);
    OWNED(double) *b = right_side_of_floats(&A, PRECISION_F64);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        vks_solve_options o = {.precond_options = &kinds[k]};
        OWNED_STRUCT(solved) s = minres(host, &A, b, PRECISION_F64, o),
                             t = minres(gpu, &A, b, PRECISION_F64, o);
        must_end(&s, VKS_REASON_CONVERGED);
        must_match(&s, &t, A.rows, vks_precond_name(kinds[k].kind));
    }
}

/* Ends after as many products as b has parts in eigenspaces. */
TestEverywhere(minres, ends_when_the_krylov_space_is_exhausted)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(N, 0, 1, 0), one = tridiagonal(1, 0, -3, 0);
    double b[N];
    for (uint32_t i = 0; i < N; i++) {
        A.val[A.row[i] + (i > 0)] = i % 2 ? 1 : -1;
        b[i] = 1 + i % 2;
    }
    OWNED_STRUCT(solved) s = minres(c, &A, b, p, (vks_solve_options){0});
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect_eq(s.report.iterations, 2, "%u products where A has the eigenvalues 1 and -1",
                 s.report.iterations);
    solved_free(&s);
    for (uint32_t i = 0; i < N; i++)
        b[i] = i == 5; /* an eigenvector */
    s = minres(c, &A, b, p, (vks_solve_options){0});
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect_eq(s.report.iterations, 1);
    solved_free(&s);
    s = minres(c, &one, b + 5, p, (vks_solve_options){0});
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect_eq(s.report.iterations, 1);
    cr_expect(fabs(s.x[0] + 1.0 / 3) < 1e-6);
}

enum { FEW = 80 };

/* A chain of springs without support; and a row without entries. */
TestEverywhere(minres, solves_singular_systems_that_have_a_solution_and_says_which_have_none)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(FEW, -1, 2, -1);
    A.val[0] = 1;
    A.val[A.row[FEW] - 1] = 1;
    double *b = right_side_of_floats(&A, PRECISION_F64), sum = 0;
    for (uint32_t i = 0; i + 1 < FEW; i++)
        sum += b[i] = rounded(p, floor(64 * b[i]) / 64); /* sums of b are exact */
    b[FEW - 1] = -sum;
    OWNED_STRUCT(solved) s = minres(c, &A, b, p, (vks_solve_options){0});
    must_end(&s, VKS_REASON_CONVERGED);
    solved_free(&s);
    for (uint32_t i = 0; i < FEW; i++)
        b[i] = i < FEW / 2 ? 1 : 0;
    s = minres(c, &A, b, p, (vks_solve_options){0});
    must_end(&s, VKS_REASON_SINGULAR);
    cr_expect(strstr(s.report.detail, "A x = b has no solution"), "%s", s.report.detail);
    cr_expect(fabs(s.report.true_residual * s.report.true_residual - 0.5) < 1e-2,
              "the residual is not nearly the part of b in the null space: %g", s.report.true_residual);
    free(b);
}

TestEverywhere(minres, row_sums_bear_empty_rows_and_refuse_what_is_not_finite)
{
    OWNED_STRUCT(host_csr) A = indefinite(p, FEW);
    for (uint32_t i = 0; i < FEW; i++)
        for (uint32_t k = A.row[i]; k < A.row[i + 1]; k++)
            A.val[k] = i == 7 || A.col[k] == 7 ? 0 : A.val[k];
    OWNED(double) *b = right_side_of_floats(&A, p);
    OWNED_STRUCT(solved) s = minres(c, &A, b, p, (vks_solve_options){0});
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect(strstr(s.report.warning, "row 8 has no nonzero entry"), "%s", s.report.warning);
    cr_expect_eq(s.x[7], 0);
    solved_free(&s);
    for (uint32_t i = 0; i < FEW; i++)
        b[i] = i == 7;
    s = minres(c, &A, b, p, (vks_solve_options){0});
    must_end(&s, VKS_REASON_SINGULAR);
    cr_expect(strstr(s.report.detail, "A x = b has no solution"), "%s", s.report.detail);
    solved_free(&s);
    A.val[A.row[9] + 1] = INFINITY;
    s = minres(c, &A, b, p, (vks_solve_options){0});
    must_end(&s, VKS_REASON_NOT_FINITE);
    cr_expect_eq(s.report.row, 9);
    cr_expect(strstr(s.report.detail, "row 10 has a sum of magnitudes that is not finite"), "%s",
              s.report.detail);
}

TestEverywhere(minres, refuses_preconditioners_that_are_not_positive_definite)
{
    OWNED_STRUCT(host_csr) A = indefinite(p, N);
    OWNED(double) *b = right_side_of_floats(&A, p);
    struct solved s = minres(c, &A, b, p, (vks_solve_options){.precond = VKS_PRECOND_JACOBI});
    must_end(&s, VKS_REASON_NOT_POSITIVE_DEFINITE);
    cr_expect_eq(s.report.row, 0);
    solved_free(&s);
    vks_precond *M = NULL;
    vks_matrix_options stored = {.precision = public_precision(p)};
    OWNED(vks_matrix) *m = matrix_from(c, &A, &stored);
    must_work(c, vks_precond_create(m, &(vks_precond_options){.kind = VKS_PRECOND_JACOBI}, &M));
    s = minres(c, &A, b, p, (vks_solve_options){.shared_precond = M});
    must_end(&s, VKS_REASON_NOT_POSITIVE_DEFINITE);
    cr_expect(strstr(s.report.detail, "M is not positive definite"), "%s", s.report.detail);
    solved_free(&s);
    vks_precond_destroy(M);
    vks_matrix_destroy(m);
    const vks_precond_options steps = {.kind = VKS_PRECOND_INNER, .method = VKS_METHOD_CG};
    OWNED(vks_vector) *y = vector_of(c, p, b, N), *x = vector_of(c, p, NULL, N);
    must_work(c, vks_matrix_from_csr(c, N, N, A.row, A.col, A.val, &stored, &m));
    must_refuse(c,
                vks_solve(m, y, x,
                          &(vks_solve_options){.method = VKS_METHOD_MINRES, .precond_options = &steps}, NULL),
                VKS_INVALID_ARGUMENT, "minres needs a preconditioner that is linear and symmetric");
}

/* b is at the end of a path: the residual falls as one over the square root of the number of products. */
TestOnHost(minres, stagnates_when_nothing_is_gained_in_a_long_time)
{
    enum { LONG = 16001 };
    OWNED_STRUCT(host_csr) A = tridiagonal(LONG, 1, 0, 1);
    OWNED(double) *b = room(LONG, 8);
    b[0] = 1;
    OWNED_STRUCT(solved) s = minres(c, &A, b, PRECISION_F64, (vks_solve_options){.max_iterations = 16000});
    must_end(&s, VKS_REASON_STAGNATED);
    cr_expect_str_eq(s.report.detail, "the residual has not fallen by a tenth in 1000 products");
}

TestOnHost(minres, ends_at_the_limit_and_tells_of_a_nan_in_a_product)
{
    must_end_at_limits_and_nans(c, VKS_METHOD_MINRES);
}

/* A solve with an unsymmetric matrix may end in any way, but must never report a wrong solution as solved. */
TestOnHost(minres, an_unsymmetric_matrix_is_never_called_solved_wrongly)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(N, -3, 1, 1);
    OWNED(double) *b = right_side_of_floats(&A, PRECISION_F64);
    OWNED_STRUCT(solved) s = minres(c, &A, b, PRECISION_F64, (vks_solve_options){.max_iterations = 30000});
    must_end(&s, VKS_REASON_STAGNATED);
    cr_expect(s.report.detail[0]);
}
