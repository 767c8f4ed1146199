/* BiCGStab(4): its residuals are those of the textbook, its bits are the same on host and GPU, it solves
 * where IDR(4) stagnates, and it ends with the reason. */
#include "small_matrix.h"
#include "tests/support/unsymmetric.h"

enum { L = 4, N = 300, CYCLES = 4 };

static struct problem problem_of(const struct host_csr *A, const double *b, enum precision p,
                                 vks_solve_options o)
{
    o.method = VKS_METHOD_BICGSTAB;
    o.scaling = VKS_SCALING_NONE;
    return (struct problem){.A = A, .b = b, .p = p, .options = o};
}

typedef long double wide[N];

static void product(const struct host_csr *A, const long double *v, long double *t)
{
    for (uint32_t i = 0; i < N; i++) {
        t[i] = 0;
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            t[i] += A->val[k] * v[A->col[k]];
    }
}

static long double dot_of(const long double *a, const long double *b)
{
    long double sum = 0;
    for (uint32_t i = 0; i < N; i++)
        sum += a[i] * b[i];
    return sum;
}

static void take_off(long double alpha, const long double *v, long double *from)
{
    for (uint32_t i = 0; i < N; i++)
        from[i] -= alpha * v[i];
}

/* The minimal-residual part by modified Gram-Schmidt, as Sleijpen and Fokkema (1993) have it; the last
 * coefficient. */
static long double make_least(wide *r, wide *u)
{
    long double tau[L + 1][L + 1], sigma[L + 1], first[L + 1], q[L + 1];
    static wide power[L + 1];
    memcpy(power, r, sizeof power);
    for (int j = 1; j <= L; j++) {
        for (int i = 1; i < j; i++) {
            tau[i][j] = dot_of(r[j], r[i]) / sigma[i];
            take_off(tau[i][j], r[i], r[j]);
        }
        sigma[j] = dot_of(r[j], r[j]);
        first[j] = dot_of(r[0], r[j]) / sigma[j];
    }
    for (int j = L; j >= 1; j--) {
        q[j] = first[j];
        for (int i = j + 1; i <= L; i++)
            q[j] -= tau[j][i] * q[i];
    }
    for (int j = 1; j <= L; j++) {
        take_off(q[j], power[j], r[0]);
        take_off(q[j], u[j], u[0]);
    }
    return q[L];
}

/* The norms of the residuals of `CYCLES` cycles from x = 0 without a preconditioner. */
static void textbook(const struct host_csr *A, const double *b, double *norm)
{
    static wide r[L + 1], u[L + 1], shadow;
    long double rho = 1, alpha = 0, omega = 1;
    memset(u, 0, sizeof u);
    for (uint32_t i = 0; i < N; i++)
        r[0][i] = shadow[i] = b[i];
    for (int cycle = 0; cycle < CYCLES; cycle++) {
        rho *= -omega;
        for (int j = 0; j < L; j++) {
            long double next = dot_of(r[j], shadow), beta = alpha * next / rho;
            rho = next;
            for (int i = 0; i <= j; i++)
                for (uint32_t k = 0; k < N; k++)
                    u[i][k] = r[i][k] - beta * u[i][k];
            product(A, u[j], u[j + 1]);
            alpha = rho / dot_of(u[j + 1], shadow);
            for (int i = 0; i <= j; i++)
                take_off(alpha, u[i + 1], r[i]);
            product(A, r[j], r[j + 1]);
            if (j + 1 < L)
                *norm++ = (double)sqrtl(dot_of(r[0], r[0]));
        }
        omega = make_least(r, u);
        *norm++ = (double)sqrtl(dot_of(r[0], r[0]));
    }
}

static void follow_the_textbook(vks_context *c, enum precision p)
{
    struct host_csr A = random_unsymmetric(p, N, 3);
    double *b = random_right_side(&A, p, 5), norm[CYCLES * L], bb = 0;
    vks_solve_options o = {.precond = VKS_PRECOND_NONE,
                           .rtol = 1e-14,
                           .zero_guess = 1,
                           .max_iterations = CYCLES * L,
                           .history_capacity = CYCLES * L};
    struct problem q = problem_of(&A, b, p, o);
    struct solved s = solve(c, &q);
    textbook(&A, b, norm);
    for (uint32_t i = 0; i < N; i++)
        bb += b[i] * b[i];
    uint32_t same = p == PRECISION_F32 ? L : 2 * L;
    for (uint32_t i = 0; i < same; i++) {
        double want = norm[i] / sqrt(bb), slack = (p == PRECISION_F32 ? 2e-4 : 1e-11) * (1 << i);
        cr_assert(fabs(s.history[i] - want) <= slack * (want + 1e-3), "iteration %u: %.17g, not %.17g", i + 1,
                  s.history[i], want);
    }
    solved_free(&s);
    free(b);
    host_csr_free(&A);
}

Test(bicgstab, residuals_are_those_of_the_textbook)
{
    in_both_precisions(open_host(), follow_the_textbook);
}

static const uint32_t sizes[] = {1, 2, 33, 257, 513};

static void compare(enum precision p)
{
    static const vks_precond_kind kinds[] = {VKS_PRECOND_JACOBI, VKS_PRECOND_BLOCK_JACOBI, VKS_PRECOND_NONE};
    vks_context *host = open_host(), *gpu = open_gpu();
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct host_csr A = random_unsymmetric(p, sizes[k], 10 + k);
        double *b = random_right_side(&A, p, 20 + k);
        struct problem q =
            problem_of(&A, b, p, (vks_solve_options){.precond = kinds[k % 3], .history_capacity = 500});
        struct solved s = solve_on_both(host, gpu, &q, vks_precond_name(kinds[k % 3]));
        must_end(&s, VKS_REASON_CONVERGED);
        solved_free(&s);
        free(b);
        host_csr_free(&A);
    }
    close_context(host);
    close_context(gpu);
}

/* In f32, too, on a GPU: lavapipe takes a minute to compile the kernels of a precision. */
Test(bicgstab, host_and_gpu_give_the_same_bits)
{
    compare(PRECISION_F64);
    if (strcmp(gpu_name(), "llvmpipe"))
        compare(PRECISION_F32);
}

static struct solved end(vks_context *c, const struct host_csr *A, vks_solve_options o)
{
    double *b = room(A->rows, 8);
    for (uint32_t i = 0; i < A->rows; i++)
        b[i] = 1 + i % 3;
    o.history_capacity = 1000;
    struct problem q = problem_of(A, b, PRECISION_F64, o);
    struct solved s = solve(c, &q);
    free(b);
    return s;
}

static void must_say(const struct solved *s, vks_reason reason, const char *part)
{
    must_end(s, reason);
    cr_expect(strstr(s->report.detail, part), "\"%s\" does not say \"%s\"", s->report.detail, part);
    cr_expect_leq(s->report.true_residual, s->report.initial_residual, "the best x is kept");
}

Test(bicgstab, ends_with_the_reason)
{
    vks_context *c = open_host();
    struct host_csr zero = tridiagonal(40, 0, 0, 0), A = tridiagonal(40, -1, 4, 2);
    vks_solve_options none = {.precond = VKS_PRECOND_NONE};
    struct solved s = end(c, &zero, none);
    must_say(&s, VKS_REASON_BREAKDOWN, "iteration 1: r~.u = 0.000e+00");
    solved_free(&s);
    none.max_iterations = 3;
    s = end(c, &A, none);
    must_say(&s, VKS_REASON_ITERATION_LIMIT, "");
    cr_expect_eq(s.report.iterations, 3);
    solved_free(&s);
    A.val[A.row[7]] = NAN;
    s = end(c, &A, none);
    cr_expect_eq(s.report.reason, VKS_REASON_NOT_FINITE);
    solved_free(&s);
    close_context(c);
    host_csr_free(&zero);
    host_csr_free(&A);
}

/* Skew but for a little of the identity: the spectrum lies along the imaginary axis. */
Test(bicgstab, solves_where_idr_does_not)
{
    vks_context *c = open_host();
    struct host_csr A = tridiagonal(600, -1, 0.05, 1);
    vks_solve_options none = {.precond = VKS_PRECOND_NONE, .max_iterations = 3000};
    struct solved s = end(c, &A, none);
    must_end(&s, VKS_REASON_CONVERGED);
    double *b = room(A.rows, 8);
    for (uint32_t i = 0; i < A.rows; i++)
        b[i] = 1 + i % 3;
    none.method = VKS_METHOD_IDR;
    none.max_iterations = 2 * s.report.iterations; /* as many products */
    struct problem q = {.A = &A, .b = b, .p = PRECISION_F64, .options = none};
    struct solved by_idr = solve(c, &q);
    cr_expect_neq(by_idr.report.reason, VKS_REASON_CONVERGED, "%u products by both", none.max_iterations);
    solved_free(&by_idr);
    solved_free(&s);
    free(b);
    close_context(c);
    host_csr_free(&A);
}

Test(bicgstab, b_of_zero_gives_zero)
{
    vks_context *c = open_host();
    struct host_csr A = tridiagonal(40, -1, 4, 2);
    double *b = room(40, 8);
    struct problem q = problem_of(&A, b, PRECISION_F64, (vks_solve_options){0});
    struct solved s = solve(c, &q);
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect_eq(s.report.iterations, 0);
    solved_free(&s);
    free(b);
    close_context(c);
    host_csr_free(&A);
}
