/* The automatic method: which strategies apply, and their sequence. */
#include "small_matrix.h"
#include "solvers/auto/strategy.h"
#include "tests/support/unsymmetric.h"
#include "vksolve/plan.h"

/* Facts for each combination of their members; factors are predicted for all, from tiny to large ones. */
static struct facts facts_of(unsigned k)
{
    return (struct facts){.square = true,
                          .rows = k & 1 ? 100 : 100000,
                          .entries = k & 1 ? 500 : 500000,
                          .real_bytes = 8,
                          .symmetry = {.unequal = k & 2 ? 0 : UINT32_MAX,
                                       .zero = k & 4 ? 0 : UINT32_MAX,
                                       .negative = k & 8 ? 0 : UINT32_MAX},
                          .has_structure = true,
                          .structure.weak = k & 16 ? 1 : 0,
                          .signs.positive = k & 32 ? 0 : 0.5,
                          .share = k & 64 ? 1 : 0,
                          .on_host = k & 128,
                          .may_factor = true,
                          .is_promised = true,
                          .promise.flops = k & 256   ? 1e10
                                           : k & 512 ? 1e9
                                                     : 0};
}

Test(strategies, each_row_applies_to_some_matrix_and_says_when)
{
    char text[120];
    struct strategies l = {.row = all_strategies, .count = strategy_count, .has_inspected = true};
    for (uint32_t row = 0; row < strategy_count; row++) {
        bool applies = false;
        for (unsigned k = 0; k < 1024; k++) {
            l.facts = facts_of(k);
            l.has_singular_factors = k & 1;
            applies |= strategy_applies(&l, row);
        }
        cr_expect(applies, "row %u never applies", row);
        conditions_text(all_strategies[row].when, text, sizeof text);
        cr_expect(text[0]);
    }
}

/* A x = b with options of the automatic method. */
static struct solved solve_auto_of(vks_context *c, const struct host_csr *A, const double *b,
                                   vks_solve_options o)
{
    struct solved s = {.x = room(A->cols, 8)};
    OWNED(vks_matrix) *m = matrix_from(c, A, NULL);
    OWNED(vks_vector) *vb = vector_of(c, PRECISION_F64, b, A->rows),
                      *x = vector_of(c, PRECISION_F64, NULL, A->cols);
    must_work(c, vks_solve(m, vb, x, &o, &s.report));
    must_work(c, vks_vector_read(x, 0, A->cols, VKS_F64, s.x));
    struct problem q = {.A = A, .b = b, .p = PRECISION_F64, .options = o};
    check_true_residual(&q, &s);
    return s;
}

/* b is A times random x. */
static struct solved solve_auto(vks_context *c, const struct host_csr *A, vks_solve_options o)
{
    OWNED(double) *b = random_right_side(A, PRECISION_F64, 3);
    return solve_auto_of(c, A, b, o);
}

/* Each strategy must begin from the best x, and their sum must be the solve. */
static void check_attempts(const vks_solve_report *r)
{
    uint32_t iterations = 0;
    double before = r->initial_residual;
    for (uint32_t k = 0; k < r->attempts; k++) {
        iterations += r->attempt[k].iterations;
        cr_expect_leq(r->attempt[k].true_residual, before, "attempt %u", k);
        before = r->attempt[k].true_residual;
    }
    cr_expect_eq(iterations, r->iterations);
    cr_expect_eq(r->attempt[r->attempts - 1].method, r->method);
    cr_expect_eq(r->attempt[r->attempts - 1].reason, r->reason);
}

static void expect_method(vks_context *c, struct host_csr A, vks_method method, vks_precond_kind precond)
{
    OWNED_STRUCT(solved) s = solve_auto(c, &A, (vks_solve_options){ANYWHERE});
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect_eq(s.report.method, method, "%s", vks_method_name(s.report.method));
    cr_expect_eq(s.report.precond, precond, "%s", vks_precond_name(s.report.precond));
    if (s.report.attempts)
        check_attempts(&s.report);
    host_csr_free(&A);
}

TestOnHost(strategies, takes_the_method_that_the_entries_of_a_want)
{
    expect_method(c, tridiagonal(300, -1, 3, -1), VKS_METHOD_CG, VKS_PRECOND_JACOBI);
    expect_method(c, tridiagonal(300, -1, 3, -0.5), VKS_METHOD_IDR, VKS_PRECOND_JACOBI);
    expect_method(c, tridiagonal(300, -1, -3, -1), VKS_METHOD_MINRES, VKS_PRECOND_ROW_SUM);
    expect_method(c, saddle(), VKS_METHOD_MINRES, VKS_PRECOND_SADDLE);
}

TestOnHost(strategies, goes_on_from_the_best_x_where_an_attempt_fails)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(5000, -1, 0.001, 1);
    OWNED_STRUCT(solved) s = solve_auto(c, &A, (vks_solve_options){ANYWHERE});
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect_gt(s.report.attempts, 1);
    check_attempts(&s.report);
    solved_free(&s);
    s = solve_auto(c, &A, (vks_solve_options){.max_iterations = 230, ANYWHERE});
    must_end(&s, VKS_REASON_ITERATION_LIMIT);
    cr_expect_eq(s.report.iterations, 230);
    check_attempts(&s.report);
}

static void expect_singular(vks_context *c, struct host_csr A, vks_reason reason, const char *part)
{
    OWNED(double) *b = random_vector(PRECISION_F64, A.rows, 1, 3);
    OWNED_STRUCT(solved) s = solve_auto_of(c, &A, b, (vks_solve_options){ANYWHERE});
    must_end(&s, reason);
    cr_expect(strstr(s.report.detail, part), "\"%s\" does not say \"%s\"", s.report.detail, part);
    host_csr_free(&A);
}

/* No solution: the rows of the first sum to zero, the second has an empty row and column, and the third has
 * two rows with entries only in the same column. */
TestOnHost(strategies, tells_that_a_is_singular_where_no_attempt_converges)
{
    struct host_csr sums_to_zero = tridiagonal(40, -1, 2, -1), lacks_row = tridiagonal(40, -1, 3, -1),
                    lacks_rank = tridiagonal(40, -1, 3, -0.5);
    sums_to_zero.val[0] = sums_to_zero.val[sums_to_zero.row[40] - 1] = 1;
    for (uint32_t i = 0; i < 40; i++)
        for (uint32_t k = lacks_row.row[i]; k < lacks_row.row[i + 1]; k++)
            lacks_row.val[k] *= i != 10 && lacks_row.col[k] != 10;
    expect_singular(c, sums_to_zero, VKS_REASON_SINGULAR, "A x = b has no solution");
    for (uint32_t i = 10; i < 13; i += 2)
        for (uint32_t k = lacks_rank.row[i]; k < lacks_rank.row[i + 1]; k++)
            lacks_rank.val[k] *= lacks_rank.col[k] == 11;
    expect_singular(c, lacks_row, VKS_REASON_SINGULAR, "row 11 of A is empty, and b is -1.7 there");
    expect_singular(c, lacks_rank, VKS_REASON_STRUCTURALLY_SINGULAR, "structural rank 39 of 40; ");
}

TestOnHost(strategies, ends_where_the_residual_is_at_rounding_level)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(300, -1, 3, -0.5);
    OWNED_STRUCT(solved) s = solve_auto(c, &A, (vks_solve_options){.rtol = 1e-17, ANYWHERE});
    must_end(&s, VKS_REASON_STAGNATED);
    cr_expect(strstr(s.report.detail, "rounding level"), "%s", s.report.detail);
    cr_expect(s.report.attempts == 1 && s.report.true_residual < 4e-16, "%u attempts, %g", s.report.attempts,
              s.report.true_residual);
    check_attempts(&s.report);
}

static int stop(void *user, const vks_progress *progress)
{
    (void)progress;
    return ++*(int *)user > 2;
}

TestOnHost(strategies, ends_where_it_is_cancelled)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(5000, -1, 0.001, 1);
    int asked = 0;
    OWNED_STRUCT(solved) s =
        solve_auto(c, &A, (vks_solve_options){.progress = stop, .user = &asked, ANYWHERE});
    must_end(&s, VKS_REASON_CANCELLED);
    cr_expect_eq(s.report.attempts, 1);
}

TestOnHost(strategies, refuses_options_of_one_method)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(9, -1, 3, -0.5);
    OWNED(vks_matrix) *m = matrix_from(c, &A, NULL);
    OWNED(vks_vector) *b = vector_of(c, PRECISION_F64, NULL, 9), *x = vector_of(c, PRECISION_F64, NULL, 9);
    vks_solve_options o = {.scaling = VKS_SCALING_MATCH};
    must_refuse(c, vks_solve(m, b, x, &o, NULL), VKS_INVALID_ARGUMENT,
                "a scaling was given without a method");
    o = (vks_solve_options){.restart = 9};
    must_refuse(c, vks_solve(m, b, x, &o, NULL), VKS_INVALID_ARGUMENT,
                "a restart was given without a method");
}

/* With a first row far larger than the others; the pair (3, 4) differs by `differ`. */
static bool counts_as_symmetric(vks_context *c, double scale, double differ)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(9, -1, 4, -1);
    A.val[0] = 1e30;
    A.val[A.row[3] + 2] += differ;
    for (uint32_t e = 0; e < A.row[9]; e++)
        A.val[e] *= scale;
    vks_plan plan;
    OWNED(vks_matrix) *m = matrix_from(c, &A, NULL);
    must_work(c, vks_solve_plan(m, NULL, &plan));
    return plan.symmetric;
}

TestOnHost(strategies, checks_symmetry_of_each_pair_by_itself)
{
    cr_expect(counts_as_symmetric(c, 1, 0));
    cr_expect(counts_as_symmetric(c, 0x1p-100, 0x1p-45));
    cr_expect_not(counts_as_symmetric(c, 1, 0x1p-30));
    cr_expect_not(counts_as_symmetric(c, 0x1p-100, 0.5));
}

Test(strategies, matches_no_more_where_that_was_too_much_work)
{
    const vks_solve_options asked = {0};
    for (uint32_t row = 0; row < strategy_count; row++) {
        struct strategies l = {.row = all_strategies, .count = strategy_count, .at = row};
        cr_expect_eq(strategy_options(&l, &asked).scaling, all_strategies[row].scaling);
        l.facts.unmatched = true;
        cr_expect_neq(strategy_options(&l, &asked).scaling, VKS_SCALING_MATCH, "row %u", row);
    }
}
