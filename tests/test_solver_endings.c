/* Solves that fail: each must report the true reason. */
#include "small_matrix.h"
#include "tests/support/solve.h"

/* A diagonal matrix. */
static struct host_csr diagonal(const double *d, uint32_t n)
{
    struct host_csr A = new_csr(n, n, n);
    for (uint32_t i = 0; i < n; i++) {
        A.row[i + 1] = i + 1;
        A.col[i] = i;
        A.val[i] = d[i];
    }
    return A;
}

static struct solved solve_with(vks_context *c, const struct host_csr *A, const double *b, enum precision p,
                                vks_precond_kind precond)
{
    struct problem q = {A, b, NULL, p, {.precond = precond, .rtol = 1e-5, .history_capacity = 100}};
    return solve(c, &q);
}

static void must_tell(const struct solved *s, const char *part)
{
    cr_expect(strstr(s->report.detail, part), "\"%s\" does not say \"%s\"", s->report.detail, part);
}

/* The first direction has p.Ap = 1 + 4 - 1/64 > 0, the second is negative. */
TestEverywhere(solver_endings, an_indefinite_matrix_is_reported_with_the_iteration_and_the_curvature)
{
    OWNED_STRUCT(host_csr) A = diagonal((double[]){1, 4, -1}, 3);
    double b[] = {1, 1, 0.125};
    OWNED_STRUCT(solved) s = solve_with(c, &A, b, p, VKS_PRECOND_NONE);
    must_end(&s, VKS_REASON_NOT_POSITIVE_DEFINITE);
    must_tell(&s, "p.Ap = -");
    must_tell(&s, "in iteration 3");
    cr_expect_eq(s.report.iterations, 2);
    cr_expect_eq(s.report.row, UINT32_MAX);
    solved_free(&s);
    A.val[0] = A.val[1] = -4;
    s = solve_with(c, &A, b, p, VKS_PRECOND_NONE);
    must_end(&s, VKS_REASON_NOT_POSITIVE_DEFINITE);
    must_tell(&s, "in iteration 1");
    cr_expect_eq(s.report.iterations, 0);
    cr_expect_eq(s.x[0], 0);
}

TestEverywhere(solver_endings, the_row_of_a_diagonal_entry_that_jacobi_cannot_use_is_named)
{
    static const struct {
        int at;
        double value;
        vks_reason reason;
        const char *part;
    } faults[] = {{700, 0, VKS_REASON_ZERO_DIAGONAL, "row 701 has a zero or missing diagonal entry"},
                  {0, -0.0, VKS_REASON_ZERO_DIAGONAL, "row 1 has"},
                  {899, -3, VKS_REASON_NOT_POSITIVE_DEFINITE, "row 900 has a negative diagonal entry"},
                  {256, NAN, VKS_REASON_NOT_FINITE, "row 257 has a diagonal entry that is not finite"},
                  {256, -INFINITY, VKS_REASON_NOT_FINITE, "row 257 has"}};
    double d[900], b[900];
    for (int k = 0; k < 5; k++) {
        for (int i = 0; i < 900; i++)
            d[i] = b[i] = 1;
        d[faults[k].at] = faults[k].value;
        OWNED_STRUCT(host_csr) A = diagonal(d, 900);
        OWNED_STRUCT(solved) s = solve_with(c, &A, b, p, VKS_PRECOND_JACOBI);
        must_end(&s, faults[k].reason);
        must_tell(&s, faults[k].part);
        cr_expect_eq(s.report.row, (uint32_t)faults[k].at);
        cr_expect_eq(s.report.iterations, 0);
    }
}

TestOnHost(solver_endings, rows_are_named_as_the_order_has_them)
{
    const uint32_t order[] = {4, 2, 0, 1, 3};
    double d[] = {1, 1, 1, 0, 1}, b[] = {1, 1, 1, 1, 1};
    OWNED_STRUCT(host_csr) A = diagonal(d, 5);
    struct problem q = {&A, b, NULL, PRECISION_F64, {.order = order}};
    OWNED_STRUCT(solved) s = solve(c, &q);
    must_end(&s, VKS_REASON_ZERO_DIAGONAL);
    must_tell(&s, "row 2 has a zero or missing diagonal entry");
    cr_expect_eq(s.report.row, 1);
    solved_free(&s);
    q.options.precond = VKS_PRECOND_BLOCK_JACOBI;
    q.options.block_size = 3;
    s = solve(c, &q);
    must_end(&s, VKS_REASON_SINGULAR);
    must_tell(&s, "block 2 of the preconditioner, in the given order 2 rows from row 2 of A on, is singular");
    cr_expect_eq(s.report.row, 1);
}

TestOnBoth(solver_endings, a_diagonal_entry_whose_reciprocal_overflows_is_named)
{
    double d[] = {1, 2, 1e-310, 0x1p-1022}, b[] = {1, 1, 1, 1};
    OWNED_STRUCT(host_csr) A = diagonal(d, 4);
    OWNED_STRUCT(solved) s = solve_with(c, &A, b, PRECISION_F64, VKS_PRECOND_JACOBI);
    must_end(&s, VKS_REASON_NOT_FINITE);
    must_tell(&s, "row 3 has a diagonal entry that is not finite, or so small that its reciprocal is not");
}

TestOnHost(solver_endings, a_missing_diagonal_entry_is_a_zero_one_and_the_first_row_counts)
{
    static const uint32_t row[] = {0, 1, 2, 3}, col[] = {0, 0, 2};
    static const double val[] = {1, 1, -1}, b[] = {1, 1, 1};
    struct host_csr A = {3, 3, (uint32_t *)(uintptr_t)row, (uint32_t *)(uintptr_t)col,
                         (double *)(uintptr_t)val};
    OWNED_STRUCT(solved) s = solve_with(c, &A, b, PRECISION_F64, VKS_PRECOND_JACOBI);
    must_end(&s, VKS_REASON_ZERO_DIAGONAL);
    cr_expect_eq(s.report.row, 1);
}

TestEverywhere(solver_endings, a_nan_or_infinity_in_the_matrix_the_right_hand_side_or_the_guess_is_reported)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    static const char *const named[] = {"row 301 of b is not finite", "unknown 301 of x is not finite",
                                        "row 301 of A is not finite"};
    OWNED_STRUCT(host_csr) A = tridiagonal(500, -1, 2, -1);
    double b[500], x0[500] = {0};
    for (int i = 0; i < 500; i++)
        b[i] = 1;
    for (int k = 0; k < 3; k++) {
        struct problem q = {&A, b, x0, p, {.history_capacity = 10}};
        for (int where = 0; where < 3; where++) {
            double *at = where == 0 ? &b[300] : where == 1 ? &x0[300] : &A.val[A.row[300]], kept = *at;
            *at = bad[k];
            struct solved s = solve(c, &q);
            must_end(&s, VKS_REASON_NOT_FINITE);
            must_tell(&s, named[where]);
            solved_free(&s);
            *at = kept;
        }
    }
}

/* p.Ap = 1 in the first step, and A p = (1, -K), whose square overflows: A is unsymmetric, which is not
 * checked. */
TestEverywhere(solver_endings, an_overflow_in_an_iteration_is_reported_with_the_iteration)
{
    static const uint32_t row[] = {0, 2, 4}, col[] = {0, 1, 0, 1};
    double K = p == PRECISION_F64 ? 1e200 : 1e30, val[] = {1, K, -K, 1}, b[] = {1, 0};
    val[1] = rounded(p, K);
    val[2] = -val[1];
    struct host_csr A = {2, 2, (uint32_t *)(uintptr_t)row, (uint32_t *)(uintptr_t)col, val};
    for (int precond = VKS_PRECOND_NONE; precond <= VKS_PRECOND_JACOBI; precond++) {
        OWNED_STRUCT(solved) s = solve_with(c, &A, b, p, (vks_precond_kind)precond);
        must_end(&s, VKS_REASON_NOT_FINITE);
        must_tell(&s, "iteration 1");
    }
}

/* The squares of b exceed the range of doubles: the solve may be refused as not finite, or be right, but
 * nothing else. For any other reason, solve() has compared the residual. */
TestOnHost(solver_endings, a_right_hand_side_near_the_ends_of_the_range_is_not_called_converged_unless_it_is)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(50, -1, 2, -1);
    double b[50];
    for (int exponent = -1000; exponent <= 1000; exponent += 200) {
        for (int i = 0; i < 50; i++)
            b[i] = ldexp(i - 20, exponent);
        struct problem q = {&A, b, NULL, PRECISION_F64, {.history_capacity = 10}};
        OWNED_STRUCT(solved) s = solve(c, &q);
        cr_expect(s.report.reason == VKS_REASON_CONVERGED || s.report.reason == VKS_REASON_NOT_FINITE,
                  "2^%d: %s", exponent, vks_reason_name(s.report.reason));
    }
}

/* The true residual is then computed on the host. */
Test(solver_endings, a_device_without_64_bit_floats_solves_in_f32_and_tells_the_true_residual)
{
    OWNED(vks_context) *c = open_context(gpu_name(), (struct device_options){.without_f64 = true});
    OWNED_STRUCT(host_csr) A = model("poisson2d", 20);
    OWNED(double) *b = random_vector(PRECISION_F32, A.rows, 2, 1);
    struct problem q = {&A, b, NULL, PRECISION_F32, {.rtol = 1e-4, .history_capacity = 1000}};
    OWNED_STRUCT(solved) s = solve(c, &q);
    must_end(&s, VKS_REASON_CONVERGED);
    q.options.rtol = 1e-12;
    OWNED_STRUCT(solved) t = solve(c, &q);
    must_end(&t, VKS_REASON_STAGNATED);
}

/* The Laplacian with free ends: its rows sum to zero, and a consistent b would have to, too. */
TestEverywhere(solver_endings, a_singular_system_without_a_solution_is_not_called_converged)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(100, -1, 2, -1);
    A.val[0] = A.val[host_csr_entries(&A) - 1] = 1;
    double b[100] = {0};
    b[10] = 1;
    struct problem q = {&A, b, NULL, p, {.max_iterations = 2000, .history_capacity = 2000, .rtol = 1e-4}};
    OWNED_STRUCT(solved) s = solve(c, &q);
    cr_expect_neq(s.report.reason, VKS_REASON_CONVERGED);
    cr_expect_gt(s.report.true_residual, 0.09);
    solved_free(&s);
    b[90] = -1; /* consistent */
    s = solve(c, &q);
    must_end(&s, VKS_REASON_CONVERGED);
}

TestEverywhere(solver_endings, the_iteration_limit_is_kept_to_the_iteration)
{
    OWNED_STRUCT(host_csr) A = model("poisson2d", 24);
    double b[576];
    for (int i = 0; i < 576; i++)
        b[i] = i % 3;
    for (uint32_t limit = 1; limit <= 19; limit += 6) {
        struct problem q = {&A, b, NULL, p, {.max_iterations = limit, .history_capacity = 100}};
        OWNED_STRUCT(solved) s = solve(c, &q);
        must_end(&s, VKS_REASON_ITERATION_LIMIT);
        cr_expect_eq(s.report.iterations, limit);
        cr_expect_eq(s.report.history_count, limit);
        cr_expect_leq(fabs(s.report.true_residual - s.report.residual), 1e-3 * s.report.residual);
    }
}

/* Counts the calls, and cancels in the third one. */
struct watched {
    uint32_t calls, last, cancel_at;
    double target;
};

static int watch_progress(void *user, const vks_progress *p)
{
    struct watched *w = user;
    cr_expect_gt(p->iteration, w->last);
    cr_expect_gt(p->residual, 0);
    cr_expect_geq(p->seconds, 0);
    w->last = p->iteration;
    w->target = p->target;
    return ++w->calls == w->cancel_at;
}

static void cancel_by(vks_context *c, enum precision p, vks_method method)
{
    OWNED_STRUCT(host_csr) A = model("poisson2d", 60);
    OWNED(double) *b = room(3600, 8);
    for (int i = 0; i < 3600; i++)
        b[i] = i % 3;
    struct watched w = {.cancel_at = 3};
    struct problem q = {
        &A,
        b,
        NULL,
        p,
        {.method = method, .progress = watch_progress, .user = &w, .history_capacity = 5000, .rtol = 1e-5}};
    OWNED_STRUCT(solved) s = solve(c, &q);
    must_end(&s, VKS_REASON_CANCELLED);
    cr_expect_eq(w.calls, 3);
    cr_expect_geq(s.report.iterations, w.last);
    cr_expect(fabs(w.target - 1e-5) < 1e-12, "the target was said to be %g", w.target);
    cr_expect_leq(fabs(s.report.true_residual - s.report.residual), 1e-2 * s.report.residual);
}

/* GMRES is cancelled between two restarts. */
TestEverywhere(solver_endings, a_cancelled_solve_keeps_the_x_so_far)
{
    cancel_by(c, p, VKS_METHOD_CG);
    cancel_by(c, p, VKS_METHOD_GMRES);
}

TestOnHost(solver_endings, a_callback_that_does_not_cancel_changes_nothing)
{
    OWNED_STRUCT(host_csr) A = model("poisson2d", 60);
    OWNED(double) *b = random_vector(PRECISION_F64, 3600, 2, 1);
    struct watched w = {0};
    struct problem q = {&A, b, NULL, PRECISION_F64, {.history_capacity = 5000}}, watched = q;
    watched.options.progress = watch_progress;
    watched.options.user = &w;
    OWNED_STRUCT(solved) s = solve(c, &q), t = solve(c, &watched);
    must_match(&s, &t, 3600, "unwatched and watched");
    cr_expect_gt(w.calls, 1);
}

/* In f32 the recurrence falls below any tolerance while b - A x stays at the limit of the precision. */
Test(solver_endings, f32_stagnates_truly_where_the_recurrence_says_converged)
{
    for (int device = 0; device < 2; device++) {
        OWNED(vks_context) *c = device ? open_gpu() : open_host();
        OWNED_STRUCT(host_csr) A = model("poisson2d", device ? 20 : 100);
        OWNED(double) *b = random_vector(PRECISION_F32, A.rows, 2, 1);
        struct problem q = {&A, b, NULL, PRECISION_F32, {.rtol = 1e-12, .history_capacity = 20000}};
        OWNED_STRUCT(solved) s = solve(c, &q);
        must_end(&s, VKS_REASON_STAGNATED);
        cr_expect_gt(s.report.true_residual, 1e-9);
        cr_expect_lt(s.report.true_residual, 1e-3);
    }
}

/* diag(1, 1e22) and b = (1, 1e-11): the first step is 1/2, which leaves a residual of -5e10. */
TestOnHost(solver_endings, a_residual_that_grows_by_ten_orders_has_diverged)
{
    OWNED_STRUCT(host_csr) A = diagonal((double[]){1, 1e22}, 2);
    double b[] = {1, 1e-11};
    OWNED_STRUCT(solved) s = solve_with(c, &A, b, PRECISION_F64, VKS_PRECOND_NONE);
    must_end(&s, VKS_REASON_DIVERGED);
    must_tell(&s, "iteration 1");
    cr_expect_gt(s.report.residual, 1e10);
    cr_expect_eq(s.report.true_residual, 1, "x is not the better one"); /* zero */
}
