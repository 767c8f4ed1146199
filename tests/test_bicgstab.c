/* BiCGStab(4): its residuals are those of the textbook, its bits are the same on host and GPU, it solves
 * systems on which IDR(4) stagnates, and it reports the reason of its ending. */
#include "tests/support/krylov.h"

enum { L = 4, N = 300, CYCLES = 4 };

typedef long double wide[N];

/* The minimal-residual part by modified Gram-Schmidt, as in Sleijpen and Fokkema (1993); returns the last
 * coefficient. */
static long double make_least(wide *r, wide *u)
{
    long double tau[L + 1][L + 1], sigma[L + 1], first[L + 1], q[L + 1];
    static wide power[L + 1];
    memcpy(power, r, sizeof power);
    for (int j = 1; j <= L; j++) {
        for (int i = 1; i < j; i++) {
            tau[i][j] = wide_dot(N, r[j], r[i]) / sigma[i];
            wide_take_off(N, tau[i][j], r[i], r[j]);
        }
        sigma[j] = wide_dot(N, r[j], r[j]);
        first[j] = wide_dot(N, r[0], r[j]) / sigma[j];
    }
    for (int j = L; j >= 1; j--) {
        q[j] = first[j];
        for (int i = j + 1; i <= L; i++)
            q[j] -= tau[j][i] * q[i];
    }
    for (int j = 1; j <= L; j++) {
        wide_take_off(N, q[j], power[j], r[0]);
        wide_take_off(N, q[j], u[j], u[0]);
    }
    return q[L];
}

/* The norms of the residuals of `CYCLES` cycles from x = 0 without a preconditioner. */
static void textbook(const struct host_csr *A, const double *b, double *norm)
{
    static wide r[L + 1], u[L + 1], shadow;
    long double rho = 1, alpha = 0, omega = 1;
    memset(u, 0, sizeof u);
    wide_copy(N, b, r[0]);
    wide_copy(N, b, shadow);
    for (int cycle = 0; cycle < CYCLES; cycle++) {
        rho *= -omega;
        for (int j = 0; j < L; j++) {
            long double next = wide_dot(N, r[j], shadow), beta = alpha * next / rho;
            rho = next;
            for (int i = 0; i <= j; i++)
                for (uint32_t k = 0; k < N; k++)
                    u[i][k] = r[i][k] - beta * u[i][k];
            wide_product(A, u[j], u[j + 1]);
            alpha = rho / wide_dot(N, u[j + 1], shadow);
            for (int i = 0; i <= j; i++)
                wide_take_off(N, alpha, u[i + 1], r[i]);
            wide_product(A, r[j], r[j + 1]);
            if (j + 1 < L)
                *norm++ = wide_norm(N, r[0]);
        }
        omega = make_least(r, u);
        *norm++ = wide_norm(N, r[0]);
    }
}

TestInBothPrecisions(bicgstab, residuals_are_those_of_the_textbook)
{
    OWNED_STRUCT(host_csr) A = random_unsymmetric(p, N, 3);
    double *b = random_right_side(&A, p, 5), norm[CYCLES * L], bb = 0;
    vks_solve_options o = {.precond = VKS_PRECOND_NONE,
                           .rtol = 1e-14,
                           .zero_guess = 1,
                           .max_iterations = CYCLES * L,
                           .history_capacity = CYCLES * L};
    struct problem q = problem_of(VKS_METHOD_BICGSTAB, &A, b, p, o);
    OWNED_STRUCT(solved) s = solve(c, &q);
    textbook(&A, b, norm);
    for (uint32_t i = 0; i < N; i++)
        bb += b[i] * b[i];
    uint32_t same = p == PRECISION_F32 ? L : 2 * L;
    for (uint32_t i = 0; i < same; i++) {
        double want = norm[i] / sqrt(bb), slack = (p == PRECISION_F32 ? 2e-4 : 1e-11) * (1 << i);
        cr_assert(fabs(s.history[i] - want) <= slack * (want + 1e-3), "iteration %u: %.17g, not %.17g", i + 1,
                  s.history[i], want);
    }
    free(b);
}

/* In f32, too, on a GPU: lavapipe takes a minute to compile the kernels of a precision. */
Test(bicgstab, host_and_gpu_give_the_same_bits)
{
    walk_over_sizes(VKS_METHOD_BICGSTAB, PRECISION_F64, (vks_solve_options){0});
    if (!on_lavapipe())
        walk_over_sizes(VKS_METHOD_BICGSTAB, PRECISION_F32, (vks_solve_options){0});
}

Test(bicgstab, does_not_break_down_on_a_few_rows_or_elements)
{
    walk_over_whole_numbers(VKS_METHOD_BICGSTAB);
}

static void must_end_as(vks_context *c, const struct host_csr *A, vks_reason reason, const char *part)
{
    must_end_so(c, VKS_METHOD_BICGSTAB, A, NULL, (vks_solve_options){0}, reason, part);
}

/* The Jordan block's eigenvalue is nearly zero: steps along its eigenvector grow. */
TestOnHost(bicgstab, ends_with_the_reason)
{
    OWNED_STRUCT(host_csr) zero = tridiagonal(40, 0, 0, 0), jordan = tridiagonal(4, 0, 1e-30, 1),
                           shift = cyclic_shift(200);
    must_end_as(c, &zero, VKS_REASON_BREAKDOWN, "iteration 1: r~.u = 0.000e+00");
    must_end_as(c, &jordan, VKS_REASON_DIVERGED, "grew by more than 1e+10");
    must_end_as(c, &shift, VKS_REASON_STAGNATED, "in 300 iterations");
    must_end_at_limits_and_nans(c, VKS_METHOD_BICGSTAB);
}

/* Skew-symmetric plus a small multiple of the identity: the spectrum lies near the imaginary axis. */
TestOnHost(bicgstab, solves_where_idr_does_not)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(600, -1, 0.05, 1);
    OWNED_STRUCT(solved) s =
        solve_to_the_end(c, VKS_METHOD_BICGSTAB, &A, NULL, (vks_solve_options){.max_iterations = 3000});
    must_end(&s, VKS_REASON_CONVERGED);
    uint32_t products = 2 * s.report.iterations;
    solved_free(&s);
    s = solve_to_the_end(c, VKS_METHOD_IDR, &A, NULL, (vks_solve_options){.max_iterations = products});
    cr_expect_neq(s.report.reason, VKS_REASON_CONVERGED, "%u products by both", products);
}

TestOnHost(bicgstab, b_of_zero_gives_zero)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(40, -1, 4, 2);
    OWNED(double) *b = room(40, 8);
    OWNED_STRUCT(solved) s = solve_to_the_end(c, VKS_METHOD_BICGSTAB, &A, b, (vks_solve_options){0});
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect_eq(s.report.iterations, 0);
}
