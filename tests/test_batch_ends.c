/* Endings of systems in a batch, each beside good ones, whose bits they must not change. */
#include "tests/support/batch.h"

enum { N = 40, BAD = 2, SYSTEMS = 5 };

/* Makes system BAD unfit. */
typedef void spoil(struct systems *s);

static double *bad_b(struct systems *s)
{
    return s->b + s->first[BAD];
}

static void has_nan(struct systems *s)
{
    s->A[BAD].val[7] = NAN;
}

static void has_infinite_b(struct systems *s)
{
    bad_b(s)[3] = INFINITY;
}

static void has_infinite_guess(struct systems *s)
{
    s->x[s->first[BAD] + 5] = INFINITY;
}

static void has_zero_row(struct systems *s)
{
    struct host_csr *A = &s->A[BAD];
    for (uint32_t e = A->row[11]; e < A->row[12]; e++)
        A->val[e] = 0;
    bad_b(s)[11] = 1;
}

static void has_zero_diagonal(struct systems *s)
{
    *entry_of(&s->A[BAD], 9, 9) = 0;
    *entry_of(&s->A[BAD], 20, 20) = 0;
}

static void has_negative_diagonal(struct systems *s)
{
    *entry_of(&s->A[BAD], 30, 30) *= -1;
}

/* Eigenvalues of both signs, with a positive diagonal. */
static void is_indefinite(struct systems *s)
{
    for (uint32_t i = 0; i < N; i++)
        *entry_of(&s->A[BAD], i, i) = 0.01;
}

/* The Laplacian of a path without boundary: the constants are its null space, and b has a part in it. */
static void is_singular(struct systems *s)
{
    struct host_csr *A = &s->A[BAD];
    for (uint32_t i = 0; i < N; i++) {
        double sum = 0;
        for (uint32_t e = A->row[i]; e < A->row[i + 1]; e++) {
            bool near = A->col[e] + 1 == i || i + 1 == A->col[e];
            A->val[e] = near ? -1 : 0;
            sum += near;
        }
        *entry_of(A, i, i) = sum;
        bad_b(s)[i] = 1;
    }
}

static void has_zero_b(struct systems *s)
{
    memset(bad_b(s), 0, N * sizeof *s->b);
}

static struct systems make(enum precision p)
{
    return equal_systems(p, N, SYSTEMS);
}

/* Solves with and without the spoiled system; returns its report. */
static vks_batch_report end_of(vks_context *c, enum precision p, spoil *spoil, vks_batch_options o, double *x)
{
    OWNED_STRUCT(systems) good = make(p);
    OWNED_STRUCT(systems) s = make(p);
    spoil(&s);
    solve_systems(c, &good, &o);
    solve_systems(c, &s, &o);
    for (uint32_t k = 0; k < SYSTEMS; k++)
        if (k != BAD) {
            must_equal(s.x + s.first[k], good.x + s.first[k], N, "x beside a system that failed");
            cr_expect_eq(s.report[k].reason, VKS_REASON_CONVERGED);
            cr_expect_eq(s.report[k].iterations, good.report[k].iterations);
        }
    if (x)
        memcpy(x, s.x + s.first[BAD], N * sizeof *x);
    double residual = residual_of_system(&s, BAD);
    if (isfinite(residual))
        cr_expect_float_eq(s.report[BAD].true_residual, residual, 1e-4 * residual);
    return s.report[BAD];
}

static void must_end(vks_context *c, enum precision p, spoil *spoil, vks_precond_kind precond,
                     vks_reason reason, uint32_t row)
{
    vks_batch_options o = batch_options(p);
    o.precond = precond;
    vks_batch_report r = end_of(c, p, spoil, o, NULL);
    cr_expect_eq(r.reason, reason, "%s instead of %s", vks_reason_name(r.reason), vks_reason_name(reason));
    cr_expect_eq(r.row, row, "row %u instead of %u", r.row, row);
}

TestEverywhere(batch_ends, numbers_that_are_not_finite_are_found)
{
    must_end(c, p, has_nan, VKS_PRECOND_JACOBI, VKS_REASON_NOT_FINITE, UINT32_MAX);
    must_end(c, p, has_infinite_b, VKS_PRECOND_NONE, VKS_REASON_NOT_FINITE, UINT32_MAX);
    must_end(c, p, has_infinite_guess, VKS_PRECOND_JACOBI, VKS_REASON_NOT_FINITE, UINT32_MAX);
}

TestEverywhere(batch_ends, rows_that_do_not_suit_the_method_are_named)
{
    must_end(c, p, has_zero_row, VKS_PRECOND_NONE, VKS_REASON_SINGULAR, 11);
    must_end(c, p, has_zero_row, VKS_PRECOND_JACOBI, VKS_REASON_ZERO_DIAGONAL, 11);
    must_end(c, p, has_zero_diagonal, VKS_PRECOND_JACOBI, VKS_REASON_ZERO_DIAGONAL, 9);
    must_end(c, p, has_negative_diagonal, VKS_PRECOND_JACOBI, VKS_REASON_NOT_POSITIVE_DEFINITE, 30);
}

TestEverywhere(batch_ends, an_indefinite_matrix_is_not_positive_definite)
{
    must_end(c, p, is_indefinite, VKS_PRECOND_JACOBI, VKS_REASON_NOT_POSITIVE_DEFINITE, UINT32_MAX);
    must_end(c, p, is_indefinite, VKS_PRECOND_NONE, VKS_REASON_NOT_POSITIVE_DEFINITE, UINT32_MAX);
}

/* How it ends depends on rounding, but never as CONVERGED. */
TestEverywhere(batch_ends, a_singular_system_does_not_converge)
{
    vks_batch_report r = end_of(c, p, is_singular, batch_options(p), NULL);
    cr_expect_neq(r.reason, VKS_REASON_CONVERGED, "%s", vks_reason_name(r.reason));
    cr_expect_geq(r.true_residual, 0.1);
}

TestEverywhere(batch_ends, a_system_with_b_0_has_x_0)
{
    double x[N], zeros[N] = {0};
    vks_batch_report r = end_of(c, p, has_zero_b, batch_options(p), x);
    cr_expect_eq(r.reason, VKS_REASON_CONVERGED);
    cr_expect_eq(r.iterations, 0);
    cr_expect_eq(r.true_residual, 0);
    cr_expect(isnan(r.residual));
    must_equal(x, zeros, N, "x");
}

/* A slow system. */
static void is_slow(struct systems *s)
{
    is_singular(s);
    for (uint32_t i = 0; i < N; i++)
        *entry_of(&s->A[BAD], i, i) += 1e-3;
}

TestEverywhere(batch_ends, the_iteration_limit_is_kept)
{
    vks_batch_options o = batch_options(p);
    OWNED_STRUCT(systems) s = make(p);
    is_slow(&s);
    s.b[s.first[BAD]] = 2;
    solve_systems(c, &s, &o);
    uint32_t needed = s.report[BAD].iterations, other = s.report[0].iterations;
    cr_assert_gt(needed, other + 3);
    o.max_iterations = needed - 1;
    memset(s.x, 0, s.rows * sizeof *s.x);
    solve_systems(c, &s, &o);
    cr_expect_eq(s.report[BAD].reason, VKS_REASON_ITERATION_LIMIT);
    cr_expect_eq(s.report[BAD].iterations, needed - 1);
    cr_expect_eq(s.report[0].reason, VKS_REASON_CONVERGED);
    cr_expect_eq(s.report[0].iterations, other);
}

/* Below the rounding of x, the recurrence claims what the true residual does not confirm. */
TestEverywhere(batch_ends, a_tolerance_below_rounding_stagnates_with_the_true_residual)
{
    vks_batch_options o = batch_options(p);
    o.rtol = p == PRECISION_F64 ? 1e-19 : 1e-10;
    OWNED_STRUCT(systems) s = make(p);
    solve_systems(c, &s, &o);
    for (uint32_t k = 0; k < SYSTEMS; k++) {
        double residual = residual_of_system(&s, k);
        cr_expect_eq(s.report[k].reason, VKS_REASON_STAGNATED, "%s", vks_reason_name(s.report[k].reason));
        cr_expect_float_eq(s.report[k].true_residual, residual, 0.01 * residual, "%g, and it is %g",
                           s.report[k].true_residual, residual);
        cr_expect_leq(residual, p == PRECISION_F64 ? 1e-15 : 1e-6);
    }
}

/* Norms that overflow or underflow if squares are not scaled. */
TestEverywhere(batch_ends, very_large_and_small_b_are_solved)
{
    static const double scales[] = {1e-290, 1e-200, 1, 1e200, 1e300},
                        narrow[] = {1e-30, 1e-25, 1, 1e25, 1e34};
    OWNED_STRUCT(systems) s = make(p);
    const vks_batch_options o = batch_options(p);
    for (uint32_t k = 0; k < SYSTEMS; k++)
        for (uint32_t i = 0; i < N; i++)
            s.b[s.first[k] + i] = rounded(p, s.b[s.first[k] + i] * (p == PRECISION_F64 ? scales : narrow)[k]);
    solve_systems(c, &s, &o);
    for (uint32_t k = 0; k < SYSTEMS; k++) {
        cr_expect_eq(s.report[k].reason, VKS_REASON_CONVERGED, "system %u: %s", k,
                     vks_reason_name(s.report[k].reason));
        cr_expect_leq(residual_of_system(&s, k), p == PRECISION_F64 ? 1.01e-8 : 1.01e-5);
    }
}

/* A guess that is the solution takes no iterations; another one is improved; atol alone decides. */
TestEverywhere(batch_ends, guesses_and_the_absolute_tolerance_count)
{
    vks_batch_options o = batch_options(p);
    OWNED_STRUCT(systems) s = make(p);
    solve_systems(c, &s, &o);
    uint32_t from_zero = s.report[1].iterations;
    s.x[s.first[1]] *= 1.5;
    solve_systems(c, &s, &o);
    cr_expect_eq(s.report[0].iterations, 0);
    cr_expect(s.report[1].iterations > 0 && s.report[1].reason == VKS_REASON_CONVERGED);
    o.zero_guess = 1;
    o.atol = 1e9;
    solve_systems(c, &s, &o);
    cr_expect(s.report[1].iterations == 0 && s.report[1].reason == VKS_REASON_CONVERGED);
    cr_expect_eq(s.x[s.first[1]], 0);
    o.atol = 0;
    solve_systems(c, &s, &o);
    cr_expect_eq(s.report[1].iterations, from_zero);
}

static void compare_devices(vks_context *host, vks_context *gpu, enum precision p, vks_batch_options o)
{
    static spoil *const ways[] = {has_nan,          has_infinite_b, has_zero_row, has_negative_diagonal,
                                  is_indefinite,    is_singular,    has_zero_b,   is_slow,
                                  has_zero_diagonal};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        OWNED_STRUCT(systems) s = make(p);
        ways[k](&s);
        OWNED_STRUCT(systems) t = systems_copy(&s);
        solve_systems(host, &s, &o);
        solve_systems(gpu, &t, &o);
        must_agree(&s, &t, precision_name(p));
    }
}

Test(batch_ends, have_the_same_bits_on_host_and_gpu)
{
    OWNED(vks_context) *host = open_host(), *gpu = open_gpu();
    for (enum precision p = 0; p < REAL_PRECISIONS; p++) {
        vks_batch_options o = batch_options(p);
        compare_devices(host, gpu, p, o);
        o.precond = VKS_PRECOND_NONE;
        o.method = VKS_METHOD_BICGSTAB;
        compare_devices(host, gpu, p, o);
        o.rtol = p == PRECISION_F64 ? 1e-20 : 1e-12; /* its square is no denormal, which devices may flush */
        compare_devices(host, gpu, p, o);
    }
}

/* Guesses whose residuals are just above the tolerance, and just below it. */
TestEverywhere(batch_ends, the_tolerance_is_kept_to_a_thousandth)
{
    static const uint32_t row[] = {0, 1, 2}, col[] = {0, 1};
    static const double values[] = {1, 2, 1, 2}, rhs[] = {1, 0, 1, 0};
    vks_batch_options o = batch_options(p);
    vks_batch_report r[2];
    o.rtol = 1e-3;
    OWNED(vks_batch) *batch = NULL;
    must_work(c, vks_batch_create(c, 2, 2, row, col, VKS_F64, values, &o, &batch));
    OWNED(vks_vector) *b = vector_of(c, p, rhs, 4),
                      *x = vector_of(c, p, (double[]){1 - 1.001e-3, 0, 1 - 0.999e-3, 0}, 4);
    must_work(c, vks_batch_solve(batch, b, x, r));
    cr_expect(r[0].reason == VKS_REASON_CONVERGED && r[0].iterations > 0, "%u", r[0].iterations);
    cr_expect(r[1].reason == VKS_REASON_CONVERGED && r[1].iterations == 0, "%u", r[1].iterations);
    cr_expect_float_eq(r[1].true_residual, 0.999e-3, 1e-7);
}
