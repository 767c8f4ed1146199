/* BiCGStab in batches: solutions, bits, and endings. */
#include "shaders/batch/batch.h"
#include "tests/support/batch.h"
#include "tests/support/oracle.h"

static const uint32_t sizes[] = {1, 2, 32, 33, 64, 65, 128, 129, 256, 257, 513, 1024};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* Systems that are far from symmetric, with diagonal entries of both signs, and diagonally dominant. */
static struct systems unsymmetric(enum precision p)
{
    struct systems s = systems_of(p, sizes, SIZES);
    for (uint32_t k = 0; k < s.count; k++)
        for (uint32_t i = 0; i < s.A[k].rows; i++)
            for (uint32_t e = s.A[k].row[i]; e < s.A[k].row[i + 1]; e++) {
                double sign = i % 3 == 1 ? -1 : 1;
                s.A[k].val[e] *= sign * (s.A[k].col[e] > i ? -0.5 : 1);
            }
    return s;
}

static vks_batch_options options_of(enum precision p)
{
    return (vks_batch_options){.precision = public_precision(p), .method = VKS_METHOD_BICGSTAB};
}

TestEverywhere(batch_bicgstab, solves_systems_that_are_not_symmetric)
{
    const double rtol = p == PRECISION_F64 ? 1e-8 : 1e-5;
    for (vks_precond_kind precond = VKS_PRECOND_NONE; precond <= VKS_PRECOND_JACOBI; precond++) {
        OWNED_STRUCT(systems) s = unsymmetric(p);
        vks_batch_options o = options_of(p);
        o.precond = precond;
        o.zero_guess = 1;
        solve_systems(c, &s, &o);
        for (uint32_t k = 0; k < s.count; k++) {
            double residual = residual_of_system(&s, k);
            bool may_break_down = precond == VKS_PRECOND_NONE; /* the spectrum is on both sides of zero */
            cr_expect(s.report[k].reason == VKS_REASON_CONVERGED || may_break_down, "%u rows: %s after %u",
                      sizes[k], vks_reason_name(s.report[k].reason), s.report[k].iterations);
            cr_expect_eq(residual <= rtol * (1 + 1e-5), s.report[k].reason == VKS_REASON_CONVERGED, "%g",
                         residual);
            cr_expect_float_eq(s.report[k].true_residual, residual, 1e-5 * residual + 1e-17);
        }
    }
}

/* v = A M^-1 of u */
static void product_of(enum precision p, const struct host_csr *A, const double *d, const double *u,
                       double *v)
{
    OWNED(double) *z = room(A->rows, 8);
    for (uint32_t i = 0; i < A->rows; i++)
        z[i] = rounded(p, d[i] * u[i]);
    for (uint32_t i = 0; i < A->rows; i++)
        v[i] = canonical_piece(p, A, z, A->row[i], A->row[i + 1], 1);
}

/* One iteration of algorithm 7.7 of Saad, every operation rounded; x is scaled. */
static void textbook_step(enum precision p, const struct host_csr *A, const double *d, const double *shadow,
                          double scale, double *x, double *r, double *q)
{
    uint32_t n = A->rows;
    OWNED(double) *a_q = room(n, 8), *a_r = room(n, 8);
    product_of(p, A, d, q, a_q);
    double rho = canonical_dot(p, shadow, r, n), alpha = rounded(p, rho / canonical_dot(p, shadow, a_q, n));
    for (uint32_t i = 0; i < n; i++)
        r[i] = rounded(p, r[i] - rounded(p, alpha * a_q[i]));
    product_of(p, A, d, r, a_r);
    double omega = rounded(p, canonical_dot(p, a_r, r, n) / canonical_dot(p, a_r, a_r, n));
    double of_q = rounded(p, alpha * scale), of_r = rounded(p, omega * scale);
    for (uint32_t i = 0; i < n; i++) {
        x[i] = rounded(p, x[i] + rounded(p, of_q * rounded(p, d[i] * q[i])));
        x[i] = rounded(p, x[i] + rounded(p, of_r * rounded(p, d[i] * r[i])));
        r[i] = rounded(p, r[i] - rounded(p, omega * a_r[i]));
    }
    double beta = rounded(p, rounded(p, canonical_dot(p, shadow, r, n) / rho) * rounded(p, alpha / omega));
    for (uint32_t i = 0; i < n; i++)
        q[i] = rounded(p, r[i] + rounded(p, beta * rounded(p, q[i] - rounded(p, omega * a_q[i]))));
}

static void must_be_textbook(const struct systems *s, uint32_t k, uint32_t iterations)
{
    const struct host_csr *A = &s->A[k];
    uint32_t n = A->rows;
    int e;
    double largest = 0;
    OWNED(double) *x = room(n, 8), *r = room(n, 8), *q = room(n, 8), *d = room(n, 8), *shadow = room(n, 8);
    for (uint32_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(s->b[s->first[k] + i]));
    frexp(largest, &e);
    for (uint32_t i = 0; i < n; i++) {
        q[i] = shadow[i] = r[i] = ldexp(s->b[s->first[k] + i], 1 - e);
        d[i] = rounded(s->p, 1 / *entry_of((struct host_csr *)A, i, i));
    }
    for (uint32_t step = 0; step < iterations; step++)
        textbook_step(s->p, A, d, shadow, ldexp(1, e - 1), x, r, q);
    must_equal(s->x + s->first[k], x, n, "x of the textbook algorithm");
}

TestEverywhere(batch_bicgstab, iterations_have_the_same_bits_as_the_textbook_algorithm)
{
    OWNED_STRUCT(systems) s = unsymmetric(p);
    vks_batch_options o = options_of(p);
    o.max_iterations = 3;
    o.rtol = 1e-30;
    solve_systems(c, &s, &o);
    for (uint32_t k = 2; k < s.count; k++) {
        cr_expect_eq(s.report[k].reason, VKS_REASON_ITERATION_LIMIT, "%s",
                     vks_reason_name(s.report[k].reason));
        must_be_textbook(&s, k, 3);
    }
}

Test(batch_bicgstab, have_the_same_bits_on_host_and_gpu)
{
    OWNED(vks_context) *host = open_host(), *gpu = open_gpu();
    for (enum precision p = 0; p < REAL_PRECISIONS; p++) {
        OWNED_STRUCT(systems) s = unsymmetric(p);
        OWNED_STRUCT(systems) t = unsymmetric(p);
        const vks_batch_options o = options_of(p);
        solve_systems(host, &s, &o);
        solve_systems(gpu, &t, &o);
        must_agree(&s, &t, precision_name(p));
    }
}

/* For a skew-symmetric matrix r . A r = 0; a zero row with an element of b has no solution. */
TestEverywhere(batch_bicgstab, breakdowns_and_singular_rows_are_told_apart)
{
    static const uint32_t row[] = {0, 1, 2}, col[] = {1, 0};
    static const double entries[] = {1, -1, 2, 2, 0, 3}, rhs[] = {1, 2, 1, 2, 4, 3};
    vks_batch_report r[3];
    double got[6];
    vks_batch_options o = options_of(p);
    o.precond = VKS_PRECOND_NONE;
    OWNED(vks_batch) *batch = NULL;
    must_work(c, vks_batch_create(c, 3, 2, row, col, VKS_F64, entries, &o, &batch));
    OWNED(vks_vector) *b = vector_of(c, p, rhs, 6), *x = vector_of(c, p, NULL, 6);
    must_work(c, vks_batch_solve(batch, b, x, r));
    must_work(c, vks_vector_read(x, 0, 6, VKS_F64, got));
    cr_expect_eq(r[0].reason, VKS_REASON_BREAKDOWN, "%s", vks_reason_name(r[0].reason));
    cr_expect_eq(r[1].reason, VKS_REASON_CONVERGED, "%s", vks_reason_name(r[1].reason));
    cr_expect_eq(r[2].reason, VKS_REASON_SINGULAR, "%s", vks_reason_name(r[2].reason));
    cr_expect_eq(r[2].row, 0);
    cr_expect_float_eq(got[2], 1, 1e-4);
    cr_expect_float_eq(got[3], 0.5, 1e-4);
}
