/* Results as accurate as in f64 on devices without 64-bit floats: conjugate gradients in f32, for an x in
 * pairs of 32-bit floats, whose residual is computed in pairs. solve() checks each true residual. */
#include "device/pair.h"
#include "small_matrix.h"
#include "tests/support/device_matrix.h"
#include "tests/support/solve.h"

static vks_context *open_narrow(const char *device)
{
    return open_context(device, (struct device_options){.without_f64 = true});
}

static double representable(double v)
{
    return pair_value(pair_of(v));
}

/* b = A times small integers. */
static struct problem known(const struct host_csr *A, double *want, double *b, double rtol)
{
    for (uint32_t i = 0; i < A->rows; i++)
        want[i] = (double)(i * 7 % 11) - 5;
    host_multiply(A, want, b);
    for (uint32_t i = 0; i < A->rows; i++)
        b[i] = representable(b[i]);
    return (struct problem){
        .A = A, .b = b, .p = PRECISION_F64, .options = {.rtol = rtol, .history_capacity = 9000}};
}

static struct host_csr shipped(const char *name)
{
    OWNED(vks_context) *c = open_narrow("host");
    OWNED(vks_matrix) *m = read_shipped(c, name);
    struct host_csr A = read_back(c, m); /* as stored in pairs */
    return A;
}

static void must_be_in_pairs(const struct solved *s)
{
    must_end(s, VKS_REASON_CONVERGED);
    cr_expect_eq(s->report.in_pairs, 1);
    cr_expect_eq(s->report.iterated_in, VKS_F32);
    cr_expect_eq(s->report.rounded, 1);
    cr_expect_gt(s->report.refinements, 3);
}

static void find(const char *device, const struct host_csr *A, vks_precond_kind precond, double rtol,
                 double error)
{
    uint32_t n = A->rows;
    OWNED(double) *want = room(n, 8), *b = room(n, 8);
    struct problem q = known(A, want, b, rtol);
    q.options.precond = precond;
    vks_context *c = open_narrow(device);
    OWNED_STRUCT(solved) s = solve(c, &q);
    close_context(c);
    must_be_in_pairs(&s);
    for (uint32_t i = 0; i < n; i++)
        cr_assert_leq(fabs(s.x[i] - want[i]), error, "x[%u] is %.17g instead of %g", i, s.x[i], want[i]);
}

Test(pairs_solve, finds_the_known_solution_of_a_poisson_problem)
{
    vks_context *c = open_host();
    OWNED_STRUCT(host_csr) A = model("poisson2d", 60);
    OWNED_STRUCT(host_csr) B = model("poisson2d", 9);
    close_context(c);
    find("host", &A, VKS_PRECOND_JACOBI, 1e-12, 1e-9);
    find(gpu_name(), &B, VKS_PRECOND_NONE, 1e-12, 1e-10);
    find(gpu_name(), &B, VKS_PRECOND_BLOCK_JACOBI, 1e-12, 1e-10);
}

/* f32 alone ends far from the tolerance, and f64 takes hardly fewer iterations to the same norm. */
static void take_hardly_more_than_f64(const char *name, double most)
{
    OWNED_STRUCT(host_csr) A = shipped(name);
    OWNED(double) *want = room(A.rows, 8), *b = room(A.rows, 8);
    struct problem q = known(&A, want, b, 1e-10);
    q.options.norm = VKS_NORM_PLAIN;
    struct problem wide = q, narrow = q;
    OWNED(vks_context) *c = open_narrow("host"), *d = open_host();
    OWNED_STRUCT(solved) s = solve(c, &q), t = solve(d, &wide);
    must_be_in_pairs(&s);
    must_end(&t, VKS_REASON_CONVERGED);
    cr_expect_leq(s.report.iterations, most * t.report.iterations, "%s: %u and %u iterations", name,
                  s.report.iterations, t.report.iterations);
    for (size_t k = 0; k < host_csr_entries(&A); k++)
        A.val[k] = (float)A.val[k];
    for (uint32_t i = 0; i < A.rows; i++)
        b[i] = (float)b[i];
    narrow.p = PRECISION_F32;
    OWNED_STRUCT(solved) u = solve(c, &narrow);
    must_end(&u, VKS_REASON_STAGNATED);
    cr_expect_eq(u.report.in_pairs, 0);
    cr_expect_gt(u.report.true_residual, 1e-9);
}

Test(pairs_solve, converges_with_real_matrices_where_f32_stagnates)
{
    take_hardly_more_than_f64("nos4", 1.1);
    take_hardly_more_than_f64("bcsstk14", 1.1);
    take_hardly_more_than_f64("1138_bus", 1.2);
}

static struct host_csr with_a_long_row(void)
{
    enum { N = 1300 };
    uint32_t *row = room(3 * N, 4), *col = room(3 * N, 4), count = 0;
    OWNED(double) *val = room(3 * N, 8);
    for (uint32_t i = 0; i < N; i++) {
        row[count] = col[count] = i;
        val[count++] = i ? 3 : 2 * N;
        for (int k = 0; i && k < 2; k++) {
            row[count] = k ? i : 0;
            col[count] = k ? 0 : i;
            val[count++] = representable(1.0 / 3);
        }
    }
    struct host_csr A = assemble(N, count, row, col, val);
    free(row);
    free(col);
    return A;
}

/* Also from a guess, and in another format. */
static void compare_devices(const struct host_csr *A, vks_precond_kind precond, bool guess)
{
    OWNED(double) *want = room(A->rows, 8), *b = room(A->rows, 8);
    struct problem q = known(A, want, b, 1e-11);
    q.options.precond = precond;
    q.x0 = guess ? b : NULL;
    OWNED(vks_context) *c = open_narrow("host"), *d = open_narrow(gpu_name());
    OWNED_STRUCT(solved) s = solve_in(c, &q, VKS_FORMAT_CSR), t = solve_in(d, &q, VKS_FORMAT_SELL);
    must_be_in_pairs(&s);
    must_match(&s, &t, A->rows, "lavapipe");
    cr_expect_eq(s.report.refinements, t.report.refinements);
}

Test(pairs_solve, has_the_same_bits_on_the_host_and_on_lavapipe)
{
    OWNED_STRUCT(host_csr) A = shipped("bcsstk01"), B = with_a_long_row();
    compare_devices(&A, VKS_PRECOND_BLOCK_JACOBI, false);
    compare_devices(&B, VKS_PRECOND_JACOBI, true);
}

/* Squares of residuals leave the range of f32 long before the residuals do. */
static void solve_of_size(double of_A, double of_b)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(200, -of_A, 2.5 * of_A, -of_A);
    double b[200];
    for (int i = 0; i < 200; i++)
        b[i] = representable(of_b * (1 + i % 7));
    struct problem q = {&A, b, NULL, PRECISION_F64, {.rtol = 1e-10}};
    OWNED(vks_context) *c = open_narrow("host");
    OWNED_STRUCT(solved) s = solve(c, &q);
    must_be_in_pairs(&s);
}

Test(pairs_solve, takes_sizes_all_over_the_range_of_f32)
{
    solve_of_size(1, 0x1p-60);
    solve_of_size(1, 0x1p+60);
    solve_of_size(0x1p+50, 0x1p+100);
    solve_of_size(0x1p-40, 0x1p-60);
    solve_of_size(1, 0x1p122); /* ||b|| exceeds it */
}

/* Checks the residual of x by a solve in f64 that begins with it. */
static void must_be_confirmed(const struct problem *q, const struct solved *s)
{
    struct problem from_x = *q;
    from_x.x0 = s->x;
    from_x.options.rtol = 1;
    OWNED(vks_context) *c = open_host();
    OWNED_STRUCT(solved) wide = solve(c, &from_x);
    cr_expect(same_bits(wide.report.initial_residual, s->report.true_residual), "%.17g instead of %.17g",
              s->report.true_residual, wide.report.initial_residual);
}

Test(pairs_solve, tells_the_residual_in_double_precision_however_it_ends)
{
    OWNED_STRUCT(host_csr) A = shipped("bcsstk14"), B = tridiagonal(50, -1, 2, -1);
    OWNED(double) *want = room(A.rows, 8), *b = room(A.rows, 8);
    struct problem q = known(&A, want, b, 1e-10), r = known(&B, want, b, 0);
    OWNED(vks_context) *c = open_narrow("host");
    q.options.max_iterations = 100;
    host_multiply(&A, want, b);
    for (uint32_t i = 0; i < A.rows; i++)
        b[i] = representable(b[i]);
    OWNED_STRUCT(solved) s = solve(c, &q);
    must_end(&s, VKS_REASON_ITERATION_LIMIT);
    must_be_confirmed(&q, &s);
    q.options.max_iterations = 0;
    q.options.rtol = 1e-17; /* beyond any precision */
    OWNED_STRUCT(solved) t = solve(c, &q);
    must_end(&t, VKS_REASON_STAGNATED);
    cr_expect_lt(t.report.true_residual, 1e-11);
    must_be_confirmed(&q, &t);
    q.options.rtol = 1e-10;
    OWNED_STRUCT(solved) w = solve(c, &q);
    must_end(&w, VKS_REASON_CONVERGED);
    must_be_confirmed(&q, &w);
    host_multiply(&B, want, b);
    r.x0 = want;
    OWNED_STRUCT(solved) u = solve(c, &r); /* begins with the solution */
    must_end(&u, VKS_REASON_CONVERGED);
    cr_expect_eq(u.report.iterations, 0);
    B.val[3] = -5;
    OWNED_STRUCT(solved) v = solve(c, &r);
    cr_expect_neq(v.report.reason, VKS_REASON_CONVERGED);
}

/* A copy in f32 with outdated values would mislead the iterations. */
Test(pairs_solve, solves_with_new_values_after_they_are_set)
{
    static const double want[] = {1, 2, 3, 4};
    static const vks_format formats[] = {VKS_FORMAT_CSR, VKS_FORMAT_SELL, VKS_FORMAT_BSR};
    const char *devices[] = {"host", gpu_name()};
    for (int k = 0; k < 6; k++) {
        OWNED_STRUCT(host_csr) a = tridiagonal(4, -1, 3, -1);
        double b[4], x[4];
        OWNED(vks_context) *c = open_narrow(devices[k / 3]);
        vks_matrix_options o = {.storage = {.format = formats[k % 3], .lean = k % 3 > 0, .block_size = 2}};
        OWNED(vks_matrix) *A = matrix_from(c, &a, &o);
        for (size_t e = 0; e < host_csr_entries(&a); e++)
            a.val[e] *= a.val[e] > 0 ? 100 : 10;
        must_work(c, vks_matrix_set_values(A, VKS_F64, a.val));
        host_multiply(&a, want, b);
        OWNED(vks_vector) *vb = vector_of(c, PRECISION_F64, b, 4), *vx = vector_of(c, PRECISION_F64, NULL, 4);
        vks_solve_report r;
        must_work(c, vks_cg_solve(A, vb, vx, &(vks_solve_options){.rtol = 1e-12, .max_iterations = 40}, &r));
        cr_expect_eq(r.reason, VKS_REASON_CONVERGED, "%s: %s", devices[k / 3], vks_reason_name(r.reason));
        must_work(c, vks_vector_read(vx, 0, 4, VKS_F64, x));
        for (int i = 0; i < 4; i++)
            cr_expect_lt(fabs(x[i] - want[i]), 1e-10);
    }
}

/* Also with polling, from a guess, and with other values. */
static void solve_again(const char *device)
{
    enum { N = 60 };
    OWNED_STRUCT(host_csr) a = tridiagonal(N, -1, 2.5, -1);
    double want[N], b[N], x[2][N];
    OWNED(vks_context) *c = open_narrow(device);
    OWNED(vks_matrix) *A = put_on(c, &a, PRECISION_F64, VKS_FORMAT_SELL);
    vks_solve_options o = {.rtol = 1e-11};
    OWNED(vks_solver) *solver = NULL;
    must_work(c, vks_solver_create(A, &o, &solver));
    for (int turn = 0; turn < 3; turn++) {
        for (int i = 0; i < N; i++)
            want[i] = i * (turn + 1) % 7;
        for (size_t k = 0; turn && k < host_csr_entries(&a); k++)
            a.val[k] *= 3;
        host_multiply(&a, want, b);
        must_work(c, vks_matrix_set_values(A, VKS_F64, a.val));
        OWNED(vks_vector) *vb = put_vector(c, b, N, PRECISION_F64), *vx = put_vector(c, b, N, PRECISION_F64),
                          *vy = put_vector(c, b, N, PRECISION_F64);
        vks_solve_report r, t;
        int ended = 0;
        must_work(c, vks_solver_submit(solver, vb, vx));
        for (int polls = 0; !ended && polls < 100; polls++)
            must_work(c, vks_solver_poll(solver, &ended, &r));
        must_work(c, vks_solver_wait(solver, INFINITY, &r));
        must_work(c, vks_cg_solve(A, vb, vy, &o, &t));
        cr_expect(r.reason == VKS_REASON_CONVERGED && r.in_pairs && r.iterations == t.iterations);
        cr_expect(same_bits(r.true_residual, t.true_residual));
        must_work(c, vks_vector_read(vx, 0, N, VKS_F64, x[0]));
        must_work(c, vks_vector_read(vy, 0, N, VKS_F64, x[1]));
        must_equal(x[0], x[1], N, "a solver's x");
        for (int i = 0; i < N; i++)
            cr_assert_lt(fabs(x[0][i] - want[i]), 1e-9);
    }
}

Test(pairs_solve, a_solver_that_is_kept_gives_the_same_bits)
{
    solve_again("host");
    solve_again(gpu_name());
}
