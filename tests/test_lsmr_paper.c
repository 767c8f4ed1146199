/* The iterates of LSMR compared with those of the paper. */
#include "tests/support/least.h"

/* LSMR as section 2.7 of the paper lists it, in long double, from zero; the columns of A are scaled by c. */
struct textbook {
    const struct host_csr *A;
    const double *c;
    long double *u, *v, *h, *hbar, *x;
};

static long double normalize(long double *v, uint32_t n)
{
    long double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += v[i] * v[i];
    for (uint32_t i = 0; i < n && sum > 0; i++)
        v[i] /= sqrtl(sum);
    return sqrtl(sum);
}

/* u = A C v - alpha u */
static void go_left(struct textbook *t, long double alpha)
{
    const struct host_csr *A = t->A;
    for (uint32_t i = 0; i < A->rows; i++) {
        t->u[i] *= -alpha;
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            t->u[i] += A->val[k] * t->c[A->col[k]] * t->v[A->col[k]];
    }
}

/* v = C A^T u - beta v */
static void go_right(struct textbook *t, long double beta)
{
    const struct host_csr *A = t->A;
    for (uint32_t j = 0; j < A->cols; j++)
        t->v[j] *= -beta;
    for (uint32_t i = 0; i < A->rows; i++)
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            t->v[A->col[k]] += A->val[k] * t->c[A->col[k]] * t->u[i];
}

/* x after `steps` iterations. */
static void iterate(struct textbook *t, const double *b, uint32_t steps)
{
    uint32_t m = t->A->rows, n = t->A->cols;
    for (uint32_t i = 0; i < m; i++)
        t->u[i] = b[i];
    long double beta = normalize(t->u, m), alpha, alphabar, zetabar;
    go_right(t, 0);
    alpha = alphabar = normalize(t->v, n);
    zetabar = alpha * beta;
    long double rho = 1, rhobar = 1, cbar = 1, sbar = 0;
    memcpy(t->h, t->v, n * sizeof *t->h);
    for (uint32_t step = 0; step < steps; step++) {
        go_left(t, alpha);
        beta = normalize(t->u, m);
        go_right(t, beta);
        alpha = normalize(t->v, n);
        long double former = rho * rhobar;
        rho = hypotl(alphabar, beta);
        long double c = alphabar / rho, s = beta / rho, theta = s * alpha, thetabar = sbar * rho;
        alphabar = c * alpha;
        rhobar = hypotl(cbar * rho, theta);
        cbar = cbar * rho / rhobar;
        sbar = theta / rhobar;
        long double zeta = cbar * zetabar;
        zetabar *= -sbar;
        for (uint32_t j = 0; j < n; j++) {
            t->hbar[j] = t->h[j] - thetabar * rho / former * t->hbar[j];
            t->x[j] += t->c[j] * (zeta / (rho * rhobar) * t->hbar[j]);
            t->h[j] = t->v[j] - theta / rho * t->h[j];
        }
    }
}

/* The power of two that scales a column to a norm between 1 and 2; 1 if m < n. */
static double *scales_of(const struct host_csr *A)
{
    double *c = room(A->cols, 8);
    for (uint32_t k = 0; k < A->row[A->rows]; k++)
        c[A->col[k]] += A->val[k] * A->val[k];
    for (uint32_t j = 0; j < A->cols; j++) {
        int e;
        frexp(sqrt(c[j]), &e);
        c[j] = A->rows >= A->cols && c[j] > 0 ? ldexp(1, 1 - e) : 1;
    }
    return c;
}

static void follow_the_paper_on(vks_context *c, enum precision p, uint32_t m, uint32_t n)
{
    OWNED_STRUCT(host_csr) A = random_least(p, m, n, 3, 11 + m);
    OWNED(double) *b = least_right(&A, p, 0.25, 5), *scales = scales_of(&A);
    double u = p == PRECISION_F32 ? 0x1p-24 : 0x1p-53;
    for (uint32_t steps = 1; steps <= 9; steps += 4) {
        long double *room_of = calloc(m + 4 * (size_t)n + 1, sizeof *room_of);
        struct textbook t = {.A = &A, .c = scales, .u = room_of, .v = room_of + m};
        t.h = t.v + n;
        t.hbar = t.h + n;
        t.x = t.hbar + n;
        iterate(&t, b, steps);
        struct least q = {&A, b, NULL, p, {.max_iterations = steps, .rtol = 1e-30, .zero_guess = 1}};
        OWNED_STRUCT(solved) s = solve_least(c, &q);
        must_end(&s, VKS_REASON_ITERATION_LIMIT);
        cr_assert_eq(s.report.iterations, steps);
        long double largest = 0;
        for (uint32_t j = 0; j < n; j++)
            largest = fmaxl(largest, fabsl(t.x[j]));
        for (uint32_t j = 0; j < n; j++)
            cr_assert(fabsl(t.x[j] - s.x[j]) <= 1e4L * steps * u * largest,
                      "%u x %u, step %u: x[%u] is %g, not %Lg", m, n, steps, j, s.x[j], t.x[j]);
        cr_assert(fabs(s.report.residual - s.report.true_residual) <= 1e4 * steps * u, "%g and %g",
                  s.report.residual, s.report.true_residual);
        free(room_of);
    }
}

TestEverywhere(lsmr_paper, iterates_are_those_of_the_paper)
{
    follow_the_paper_on(c, p, 300, 40);
    follow_the_paper_on(c, p, 40, 300);
    follow_the_paper_on(c, p, 60, 60);
}

/* The bits must be the same on both devices, at the critical sizes of kernels. */
