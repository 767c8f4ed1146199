/* Direct methods in batches: cyclic reduction of tridiagonal systems, elimination of small ones. */
#include "shaders/batch/batch.h"
#include "tests/support/batch.h"

static const uint32_t long_sizes[] = {1,   2,   3,   31,  32,  33,  64,   65,  127,
                                      128, 129, 256, 257, 512, 513, 1000, 1024},
                      short_sizes[] = {1, 2, 3, 8, 31, 32, 33, 63, 64};
enum { LONG = sizeof long_sizes / sizeof *long_sizes, SHORT = sizeof short_sizes / sizeof *short_sizes };

/* Gives a system this matrix, and b for an x of random numbers; x stays zero. */
static void take(struct systems *s, uint32_t k, struct host_csr A)
{
    OWNED(double) *x = random_vector(s->p, A.rows, 1, k + 1);
    host_csr_free(&s->A[k]);
    s->A[k] = A;
    host_multiply(&s->A[k], x, s->b + s->first[k]);
    for (uint32_t i = 0; i < A.rows; i++)
        s->b[s->first[k] + i] = rounded(s->p, s->b[s->first[k] + i]);
}

/* Not symmetric, with a diagonal of either sign that dominates. */
static struct host_csr tridiagonal_of(enum precision p, uint32_t n, uint64_t seed)
{
    struct host_csr A = new_csr(n, n, 3 * (size_t)n);
    uint32_t e = 0;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = i ? i - 1 : 0; j <= i + 1 && j < n; j++) {
            A.col[e] = j;
            A.val[e++] = j == i ? (i % 5 == 2 ? -9.5 : 9.5) : random_wide(&seed, p, 2);
        }
        A.row[i + 1] = e;
    }
    return A;
}

/* All entries, of random size, and zeros on the diagonal, so that rows are exchanged. */
static struct host_csr full_of(enum precision p, uint32_t n, uint64_t seed)
{
    struct host_csr A = new_csr(n, n, (size_t)n * n);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            A.col[i * n + j] = j;
            A.val[i * n + j] = i == j && n > 1 ? 0 : random_wide(&seed, p, 1);
        }
        A.row[i + 1] = (i + 1) * n;
    }
    return A;
}

static struct systems tridiagonal_systems(enum precision p)
{
    struct systems s = systems_of(p, long_sizes, LONG);
    for (uint32_t k = 0; k < s.count; k++)
        take(&s, k, tridiagonal_of(p, long_sizes[k], k));
    return s;
}

static struct systems full_systems(enum precision p)
{
    struct systems s = systems_of(p, short_sizes, SHORT);
    for (uint32_t k = 0; k < s.count; k++)
        take(&s, k, full_of(p, short_sizes[k], k));
    return s;
}

static vks_batch_options direct(enum precision p)
{
    return (vks_batch_options){.precision = public_precision(p), .method = VKS_METHOD_GAUSS_JORDAN};
}

static void must_be_solved(const struct systems *s, uint32_t most)
{
    for (uint32_t k = 0; k < s->count; k++) {
        double residual = residual_of_system(s, k), rtol = s->p == PRECISION_F64 ? 1e-8 : 1e-5;
        cr_expect_eq(s->report[k].reason, VKS_REASON_CONVERGED, "%u rows: %s, %g", s->A[k].rows,
                     vks_reason_name(s->report[k].reason), residual);
        cr_expect(s->report[k].iterations >= 1 && s->report[k].iterations <= most, "%u rows: %u",
                  s->A[k].rows, s->report[k].iterations);
        cr_expect_leq(residual, rtol * (1 + 1e-5));
        cr_expect_float_eq(s->report[k].true_residual, residual, 1e-5 * residual + 1e-17);
        cr_expect(isnan(s->report[k].residual) && s->report[k].row == UINT32_MAX);
    }
}

TestEverywhere(batch_direct, tridiagonal_systems_of_every_size_are_solved_at_once)
{
    OWNED_STRUCT(systems) s = tridiagonal_systems(p);
    const vks_batch_options o = direct(p);
    solve_systems(c, &s, &o);
    must_be_solved(&s, 1);
}

TestEverywhere(batch_direct, full_systems_are_solved_with_exchanged_rows)
{
    OWNED_STRUCT(systems) s = full_systems(p);
    const vks_batch_options o = direct(p);
    solve_systems(c, &s, &o);
    must_be_solved(&s, p == PRECISION_F64 ? 1 : 3);
}

/* Solved to a tolerance that needs corrections of corrections. */
TestEverywhere(batch_direct, corrections_go_on_while_they_halve_the_residual)
{
    OWNED_STRUCT(systems) s = full_systems(p);
    vks_batch_options o = direct(p);
    o.rtol = 1e-30;
    solve_systems(c, &s, &o);
    for (uint32_t k = 2; k < s.count; k++) {
        cr_expect_eq(s.report[k].reason, VKS_REASON_STAGNATED, "%s", vks_reason_name(s.report[k].reason));
        cr_expect_geq(s.report[k].iterations, 2);
        cr_expect_leq(residual_of_system(&s, k), p == PRECISION_F64 ? 1e-13 : 1e-5);
    }
}

Test(batch_direct, have_the_same_bits_on_host_and_gpu)
{
    OWNED(vks_context) *host = open_host(), *gpu = open_gpu();
    for (enum precision p = 0; p < REAL_PRECISIONS; p++)
        for (int full = 0; full < 2; full++) {
            OWNED_STRUCT(systems) s = full ? full_systems(p) : tridiagonal_systems(p);
            OWNED_STRUCT(systems) t = systems_copy(&s);
            vks_batch_options o = direct(p);
            o.rtol = 1e-30; /* several corrections */
            solve_systems(host, &s, &o);
            solve_systems(gpu, &t, &o);
            must_agree(&s, &t, full ? "full" : "tridiagonal");
        }
}

/* The second system has a column that is twice another one; the third a NaN. The others keep their bits. */
TestEverywhere(batch_direct, singular_systems_are_named_by_the_column)
{
    static const uint32_t n[] = {12, 12, 12, 40};
    struct systems s[2];
    const vks_batch_options o = direct(p);
    for (int bad = 0; bad < 2; bad++) {
        s[bad] = systems_of(p, n, 4);
        for (uint32_t k = 0; k < 4; k++)
            take(&s[bad], k, full_of(p, n[k], k));
        for (uint32_t i = 0; i < 12 && bad; i++) {
            double *row = s[bad].A[1].val + 12 * i;
            row[4] = row[9] = i == 3; /* one number in both, so that no rounding hides it */
        }
        if (bad)
            s[bad].A[2].val[30] = NAN;
        solve_systems(c, &s[bad], &o);
    }
    cr_expect_eq(s[1].report[1].reason, VKS_REASON_SINGULAR, "%s", vks_reason_name(s[1].report[1].reason));
    cr_expect_eq(s[1].report[1].row, 9, "%u", s[1].report[1].row);
    cr_expect_eq(s[1].report[2].reason, VKS_REASON_NOT_FINITE);
    must_equal(s[1].x, s[0].x, 12, "x before bad systems");
    must_equal(s[1].x + s[1].first[3], s[0].x + s[1].first[3], 40, "x after bad systems");
    cr_expect_eq(s[1].report[3].reason, VKS_REASON_CONVERGED);
    systems_free(&s[0]);
    systems_free(&s[1]);
}

/* Reduction does not exchange rows, elimination does. */
TestEverywhere(batch_direct, a_zero_divisor_of_reduction_is_a_breakdown)
{
    static const uint32_t row[] = {0, 2, 4}, col[] = {0, 1, 0, 1};
    static const double entries[] = {0, 1, 1, 0, 2, 1, 1, 2}, rhs[] = {1, 2, 3, 3};
    const vks_batch_options o = direct(p);
    vks_batch_report r[2];
    double x[4];
    OWNED(vks_batch) *batch = NULL;
    must_work(c, vks_batch_create(c, 2, 2, row, col, VKS_F64, entries, &o, &batch));
    OWNED(vks_vector) *b = vector_of(c, p, rhs, 4), *v = vector_of(c, p, NULL, 4);
    must_work(c, vks_batch_solve(batch, b, v, r));
    must_work(c, vks_vector_read(v, 0, 4, VKS_F64, x));
    cr_expect_eq(r[0].reason, VKS_REASON_BREAKDOWN, "%s", vks_reason_name(r[0].reason));
    cr_expect(x[0] == 0 && x[1] == 0 && r[0].true_residual == 1);
    cr_expect_eq(r[1].reason, VKS_REASON_CONVERGED);
    cr_expect_float_eq(x[2], 1, 1e-6);
}

TestOnHost(batch_direct, systems_that_are_too_large_and_preconditioners_are_refused)
{
    static const uint32_t n[] = {64, 65};
    OWNED_STRUCT(systems) s = systems_of(PRECISION_F64, n, 2);
    vks_batch_options o = direct(PRECISION_F64);
    OWNED(vks_batch) *batch = NULL;
    must_refuse(
        c, create_batch(c, &s, &o, &batch), VKS_LIMIT,
        "system 1, from 0, has 65 rows, and not all systems are tridiagonal; elimination takes at most 64");
    o.precond = VKS_PRECOND_JACOBI;
    host_csr_free(&s.A[--s.count]);
    must_refuse(c, create_batch(c, &s, &o, &batch), VKS_UNSUPPORTED,
                "no preconditioner jacobi with elimination");
    cr_expect_null(batch);
    cr_expect_eq(BATCH_DENSE, 64);
}
