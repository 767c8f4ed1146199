/* Conjugate gradients in f32 for an x in f64: results as in f64, and reports that say which precision was
 * used. */
#include "small_matrix.h"
#include "tests/support/device_matrix.h"
#include "tests/support/solve.h"

static struct problem problem(const struct host_csr *A, const double *b, enum precision p, double rtol)
{
    vks_solve_options o = {.iterate_in_f32 = 1, .rtol = rtol, .history_capacity = 3000};
    return (struct problem){.A = A, .b = b, .p = p, .options = o};
}

/* The iterations in f64. */
static uint32_t iterations_in_f64(vks_context *c, const struct problem *q)
{
    struct problem wide = *q;
    wide.options.iterate_in_f32 = 0;
    OWNED_STRUCT(solved) s = solve(c, &wide);
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect_eq(s.report.iterated_in, VKS_F64);
    cr_expect_eq(s.report.refinements, 0);
    uint32_t iterations = s.report.iterations;
    return iterations;
}

/* x is small integers. */
static void find(vks_context *c, const struct host_csr *A, enum precision p, vks_precond_kind precond,
                 double rtol)
{
    uint32_t n = A->rows;
    OWNED(double) *want = room(n, 8), *b = room(n, 8);
    for (uint32_t i = 0; i < n; i++)
        want[i] = (double)(i * 7 % 11) - 5;
    host_multiply(A, want, b);
    struct problem q = problem(A, b, p, rtol);
    q.options.precond = precond;
    OWNED_STRUCT(solved) s = solve(c, &q);
    must_end(&s, VKS_REASON_CONVERGED);
    for (uint32_t i = 0; i < n; i++)
        cr_assert(fabs(s.x[i] - want[i]) <= 1000 * rtol, "x[%u] is %.17g instead of %g", i, s.x[i], want[i]);
    cr_expect_eq(s.report.iterated_in, VKS_F32);
    cr_expect_eq(s.report.rounded, p == PRECISION_F64);
    cr_expect_geq(s.report.refinements, rtol < 1e-10 ? 10 : 7);
    cr_expect_eq(s.report.restarts, 0);
}

TestOnBoth(refinement, finds_the_known_solution_as_well_as_f64)
{
    static const double rtols[] = {1e-8, 1e-12};
    bool host = c->device->info.kind == DEVICE_HOST;
    OWNED_STRUCT(host_csr) A = model("poisson2d", host ? 20 : 7);
    for (int k = 0; k < 2; k++)
        for (int precond = VKS_PRECOND_NONE; precond <= VKS_PRECOND_BLOCK_JACOBI; precond++)
            find(c, &A, k ? PRECISION_F64 : PRECISION_MIXED, (vks_precond_kind)precond, rtols[k]);
}

/* A third of a Laplacian: no entry survives f32, whether it is asked for as mixed or not. */
TestOnBoth(refinement, rounds_a_copy_of_what_does_not_survive_and_converges_with_the_true_matrix)
{
    bool host = c->device->info.kind == DEVICE_HOST;
    OWNED_STRUCT(host_csr) A = model("poisson2d", host ? 15 : 6);
    for (size_t k = 0; k < host_csr_entries(&A); k++)
        A.val[k] /= 3;
    OWNED(double) *b = random_vector(PRECISION_F64, A.rows, 3, 5);
    struct problem q = problem(&A, b, PRECISION_MIXED, 1e-12), wide = problem(&A, b, PRECISION_F64, 1e-12);
    OWNED_STRUCT(solved) s = solve(c, &q), t = solve(c, &wide);
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect_eq(s.report.rounded, 1);
    must_match(&s, &t, A.rows, "mixed and f64");
}

static struct host_csr shipped(vks_context *c, const char *name)
{
    OWNED(vks_matrix) *m = read_shipped(c, name);
    return read_back(c, m);
}

/* Real matrices, with condition numbers up to 1e10, and b = A times ones: restarts from each true residual,
 * which discard the directions, would take 1.2 to 2.5 times as many iterations. */
TestOnHost(refinement, takes_hardly_more_iterations_than_f64_with_real_matrices)
{
    static const struct {
        const char *name;
        double most;
    } files[] = {{"lund_a", 1.04}, {"bcsstk14", 1.04}, {"gr_30_30", 1.1}};
    for (int k = 0; k < 3; k++) {
        OWNED_STRUCT(host_csr) A = shipped(c, files[k].name);
        OWNED(double) *ones = room(A.rows, 8), *b = room(A.rows, 8);
        for (uint32_t i = 0; i < A.rows; i++)
            ones[i] = 1;
        host_multiply(&A, ones, b);
        struct problem q = problem(&A, b, PRECISION_F64, 1e-8);
        OWNED_STRUCT(solved) s = solve(c, &q);
        must_end(&s, VKS_REASON_CONVERGED);
        double times = (double)s.report.iterations / iterations_in_f64(c, &q);
        cr_expect_leq(times, files[k].most, "%s: %g times the iterations", files[k].name, times);
        cr_expect_eq(s.report.restarts, 0);
    }
}

/* In every format that has the bits of CSR, lean or not, stored in f32 or rounded to it. */
TestOnHost(refinement, has_the_same_bits_in_every_format)
{
    OWNED_STRUCT(host_csr) A = random_spd(PRECISION_F32, 400, 9);
    OWNED(double) *b = random_vector(PRECISION_F64, A.rows, 3, 4);
    for (int p = PRECISION_F64; p <= PRECISION_MIXED; p++) {
        struct problem q = problem(&A, b, (enum precision)p, 1e-10);
        q.options.precond = VKS_PRECOND_BLOCK_JACOBI;
        OWNED_STRUCT(solved) want = solve_in(c, &q, VKS_FORMAT_CSR);
        must_end(&want, VKS_REASON_CONVERGED);
        for (int f = VKS_FORMAT_BALANCED; f < VKS_FORMAT_CSR_TWO_PASS; f++) {
            if (f == VKS_FORMAT_COO_ATOMIC || f == VKS_FORMAT_CSC_ATOMIC)
                continue;
            OWNED_STRUCT(solved) s = solve_in(c, &q, (vks_format)f);
            must_match(&s, &want, A.rows, vks_format_name((vks_format)f));
        }
    }
}

static void compare_devices(const struct host_csr *A, enum precision p, vks_precond_kind precond)
{
    OWNED(vks_context) *c = open_host(), *d = open_gpu();
    OWNED(double) *b = random_vector(PRECISION_F64, A->rows, 3, 4);
    struct problem q = problem(A, b, p, 1e-9);
    q.options.precond = precond;
    OWNED_STRUCT(solved) s = solve_in(c, &q, VKS_FORMAT_CSR), t = solve_in(d, &q, VKS_FORMAT_SELL);
    must_match(&s, &t, A->rows, "lavapipe");
    cr_expect_eq(s.report.refinements, t.report.refinements);
    cr_expect_gt(s.report.refinements, 6);
}

Test(refinement, has_the_same_bits_on_the_host_and_on_lavapipe)
{
    vks_context *c = open_host();
    OWNED_STRUCT(host_csr) A = random_spd(PRECISION_F32, 300, 10), B = shipped(c, "bcsstk01");
    close_context(c);
    compare_devices(&A, PRECISION_MIXED, VKS_PRECOND_JACOBI);
    compare_devices(&B, PRECISION_F64, VKS_PRECOND_BLOCK_JACOBI);
}

/* A guess, a row of more than 256 entries, and the extremes of the range of b, which f32 lacks. */
TestOnHost(refinement, starts_anywhere_and_takes_any_right_hand_side)
{
    static const double sizes[] = {1, 1e-200, 1e200};
    enum { N = 400 };
    uint32_t row[3 * N], col[3 * N], count = 0;
    double val[3 * N], x0[N], b[N];
    for (uint32_t i = 0; i < N; i++) {
        row[count] = col[count] = i;
        val[count++] = i ? 3 : 500;
        for (int k = 0; i && k < 2; k++) {
            row[count] = k ? i : 0;
            col[count] = k ? 0 : i;
            val[count++] = 1.0 / 3;
        }
    }
    OWNED_STRUCT(host_csr) A = assemble(N, count, row, col, val);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < N; i++) {
            x0[i] = sizes[k] * (i % 5);
            b[i] = sizes[k] * (1 + i % 7);
        }
        struct problem q = problem(&A, b, PRECISION_F64, 1e-12);
        q.x0 = x0;
        OWNED_STRUCT(solved) s = solve(c, &q);
        must_end(&s, VKS_REASON_CONVERGED);
        cr_expect_gt(s.report.initial_residual, 0.1);
    }
}
