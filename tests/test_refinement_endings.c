/* Solves in f32 for an x in f64 that fail, or are not permitted. */
#include "small_matrix.h"
#include "tests/support/solve.h"

static struct problem problem(const struct host_csr *A, const double *b)
{
    vks_solve_options o = {.iterate_in_f32 = 1, .rtol = 1e-10, .history_capacity = 5000};
    return (struct problem){.A = A, .b = b, .p = PRECISION_F64, .options = o};
}

static void must_tell(const struct solved *s, const char *part)
{
    cr_expect(strstr(s->report.detail, part), "\"%s\" does not say \"%s\"", s->report.detail, part);
}

/* diag(d), b of ones. */
static struct solved solve_diagonal(vks_context *c, const double *d, uint32_t n, vks_precond_kind precond)
{
    OWNED_STRUCT(host_csr) A = new_csr(n, n, n);
    OWNED(double) *b = room(n, 8);
    for (uint32_t i = 0; i < n; i++) {
        A.row[i + 1] = i + 1;
        A.col[i] = i;
        A.val[i] = d[i];
        b[i] = 1;
    }
    struct problem q = problem(&A, b);
    q.options.precond = precond;
    return solve(c, &q);
}

TestOnBoth(refinement_endings, an_indefinite_matrix_is_refused)
{
    OWNED_STRUCT(solved) s = solve_diagonal(c, (double[]){1, 4, -1, -5, 3}, 5, VKS_PRECOND_NONE);
    must_end(&s, VKS_REASON_NOT_POSITIVE_DEFINITE);
    must_tell(&s, "p.Ap = -");
    must_tell(&s, ", in f32");
    solved_free(&s);
    s = solve_diagonal(c, (double[]){1, 4, -1}, 3, VKS_PRECOND_JACOBI);
    must_end(&s, VKS_REASON_NOT_POSITIVE_DEFINITE);
    must_tell(&s, "row 3 has a negative diagonal entry, in f32");
    cr_expect_eq(s.report.row, 2);
}

/* Negative curvature that occurs after the residual has been lowered may come from f32. */
TestOnHost(refinement_endings,
           curvature_that_is_not_positive_is_no_verdict_on_a_once_the_residual_was_lowered)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(4, 0, 1, 0);
    double b[] = {1, 1, 1, 1e-3};
    A.val[A.row[1] + 1] = 4;
    A.val[A.row[2] + 1] = 2;
    A.val[A.row[3] + 1] = -1;
    struct problem q = problem(&A, b);
    q.options.precond = VKS_PRECOND_NONE;
    OWNED_STRUCT(solved) s = solve(c, &q);
    must_end(&s, VKS_REASON_STAGNATED);
    must_tell(&s, "p.Ap = -");
    cr_expect_lt(s.report.true_residual, 1e-2);
}

/* A system that f64 solves is reported as beyond f32. */
TestOnHost(refinement_endings, values_beyond_the_range_of_f32_are_reported)
{
    static const struct {
        double value;
        vks_reason reason;
        const char *part;
    } faults[] = {{1e-60, VKS_REASON_ZERO_DIAGONAL, "row 2 has a zero or missing diagonal entry, in f32"},
                  {1e60, VKS_REASON_NOT_FINITE,
                   "row 2 has a diagonal entry that is not finite, or so small that its "
                   "reciprocal is not, in f32"}};
    for (int k = 0; k < 2; k++) {
        OWNED_STRUCT(solved) s = solve_diagonal(c, (double[]){1, faults[k].value, 2}, 3, VKS_PRECOND_JACOBI);
        must_end(&s, faults[k].reason);
        must_tell(&s, faults[k].part);
    }
    OWNED_STRUCT(solved) s = solve_diagonal(c, (double[]){1, 1e60, 2}, 3, VKS_PRECOND_NONE);
    must_end(&s, VKS_REASON_NOT_FINITE);
    must_tell(&s, "in iteration 1, in f32");
    cr_expect_eq(s.x[0], 0); /* x does not include values that are not finite */
}

/* (1, c; c, 1) with c = 1 - 1e-9, which is 1 in f32: f64 solves it, and the report says that it is beyond
 * f32. */
TestOnHost(refinement_endings, a_matrix_that_f32_takes_for_singular_is_refused_with_a_word_on_f32)
{
    OWNED_STRUCT(host_csr) A = new_csr(2, 2, 4);
    double b[] = {1, -1};
    for (uint32_t k = 0; k < 4; k++) {
        A.col[k] = k % 2;
        A.val[k] = k % 3 ? 1 - 1e-9 : 1;
    }
    A.row[1] = 2;
    A.row[2] = 4;
    struct problem q = problem(&A, b);
    OWNED_STRUCT(solved) s = solve(c, &q);
    must_end(&s, VKS_REASON_NOT_POSITIVE_DEFINITE);
    must_tell(&s, "p.Ap = 0.000e+00 in iteration 1, in f32");
    solved_free(&s);
    q.options.iterate_in_f32 = 0;
    s = solve(c, &q);
    must_end(&s, VKS_REASON_CONVERGED);
}

/* Beyond what f64 can resolve of b - A x. */
TestOnHost(refinement_endings, a_tolerance_that_cannot_be_met_ends_as_stagnated)
{
    OWNED_STRUCT(host_csr) A = random_spd(PRECISION_F64, 300, 4);
    OWNED(double) *b = random_vector(PRECISION_F64, 300, 2, 4);
    struct problem q = problem(&A, b);
    q.options.rtol = 1e-18;
    OWNED_STRUCT(solved) s = solve(c, &q);
    must_end(&s, VKS_REASON_STAGNATED);
    must_tell(&s, "is at rounding level");
    cr_expect_lt(s.report.true_residual, 1e-14);
    cr_expect_gt(s.report.restarts, 0);
}

/* As in test_solver_endings.c, diag(1, 1e22) and b = (1, 1e-11): x does not include the grown part. */
TestOnHost(refinement_endings, a_residual_that_grows_by_ten_orders_leaves_x)
{
    static const uint32_t row[] = {0, 1, 2}, col[] = {0, 1};
    static const double val[] = {1, 1e22}, b[] = {1, 1e-11};
    struct host_csr A = {2, 2, (uint32_t *)(uintptr_t)row, (uint32_t *)(uintptr_t)col,
                         (double *)(uintptr_t)val};
    struct problem q = problem(&A, b);
    q.options.precond = VKS_PRECOND_NONE;
    OWNED_STRUCT(solved) s = solve(c, &q);
    must_end(&s, VKS_REASON_DIVERGED);
    must_tell(&s, "until iteration 1, in f32");
    cr_expect_eq(s.x[0], 0);
    cr_expect_eq(s.report.true_residual, 1);
    cr_expect_eq(s.report.refinements, 0);
}

struct watched {
    uint32_t calls, cancel_at, last;
};

static int watch_progress(void *user, const vks_progress *p)
{
    struct watched *w = user;
    cr_expect_geq(p->iteration, w->last);
    w->last = p->iteration;
    return ++w->calls == w->cancel_at;
}

/* Also between two refinements: x has the result of the iterations so far. */
TestOnBoth(refinement_endings, a_cancelled_solve_keeps_the_x_so_far)
{
    OWNED_STRUCT(host_csr) A = model("poisson2d", 30);
    OWNED(double) *b = random_vector(PRECISION_F64, A.rows, 2, 1);
    c->device->info.memory_model = false; /* no iterations share a dispatch, so batches are short */
    for (uint32_t at = 2; at < 9; at += 3) {
        struct watched w = {.cancel_at = at};
        struct problem q = problem(&A, b);
        q.options.progress = watch_progress;
        q.options.user = &w;
        OWNED_STRUCT(solved) s = solve(c, &q);
        must_end(&s, VKS_REASON_CANCELLED);
        cr_expect_eq(w.calls, at);
        cr_expect_geq(s.report.iterations, w.last);
        cr_expect_leq(fabs(s.report.true_residual - s.report.residual), 1e-2 * s.report.residual);
    }
}

/* The history continues over refinements; its capacity and the limit are respected. */
TestOnHost(refinement_endings, the_iteration_limit_and_the_history_are_kept_over_refinements)
{
    OWNED_STRUCT(host_csr) A = model("poisson2d", 20);
    OWNED(double) *b = random_vector(PRECISION_F64, A.rows, 2, 1);
    struct problem q = problem(&A, b);
    OWNED_STRUCT(solved) whole = solve(c, &q);
    must_end(&whole, VKS_REASON_CONVERGED);
    for (uint32_t limit = 1; limit < whole.report.iterations; limit += 6) {
        q.options.max_iterations = limit;
        q.options.history_capacity = limit % 4 ? 5000 : 10;
        OWNED_STRUCT(solved) s = solve(c, &q);
        must_end(&s, VKS_REASON_ITERATION_LIMIT);
        cr_expect_eq(s.report.iterations, limit);
        must_equal(s.history, whole.history, s.report.history_count, "the history");
    }
}

static void must_refuse_options(vks_context *c, vks_precision p, vks_solve_options o, const char *part)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(9, -1, 3, -1);
    vks_matrix_options of = {.precision = p};
    vks_solve_report report;
    OWNED(vks_matrix) *m = matrix_from(c, &A, &of);
    OWNED(vks_vector) *b = vector_of(c, precision_of(p), NULL, 9),
                      *x = vector_of(c, precision_of(p), NULL, 9);
    o.iterate_in_f32 = 1;
    must_refuse(c, vks_solve(m, b, x, &o, &report), VKS_INVALID_ARGUMENT, part);
    cr_expect_eq(report.reason, VKS_REASON_NOT_RUN);
}

TestOnHost(refinement_endings, other_methods_and_matrices_of_f32_are_refused)
{
    must_refuse_options(c, VKS_F32, (vks_solve_options){0}, "cg was given one of VKS_F32");
    must_refuse_options(c, VKS_F64, (vks_solve_options){.method = VKS_METHOD_JACOBI},
                        "jacobi does not refine");
    must_refuse_options(c, VKS_MIXED, (vks_solve_options){.method = VKS_METHOD_GAUSS_JORDAN},
                        "gauss-jordan does not refine");
}
