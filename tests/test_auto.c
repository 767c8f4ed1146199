/* VKS_PRECOND_AUTO: what it selects, and that each strategy continues from the previous x. */
#include "command/models/generate_matrix.h"
#include "small_matrix.h"
#include "tests/support/solve.h"
#include "tests/support/system.h"
#include "vksolve/precond.h"

enum { CHAIN = 1100, STEPS = 64 };

static struct solved solve_chain(vks_context *c, const struct host_csr *A, enum precision p,
                                 vks_solve_options o)
{
    OWNED(double) *b = random_vector(PRECISION_F32, A->rows, 2, 5);
    o.method = VKS_METHOD_CG;
    o.history_capacity = 2 * A->rows;
    struct problem q = {.A = A, .b = b, .p = p, .options = o};
    return solve(c, &q);
}

/* The budget of the first strategy is spent, and multigrid finishes the solve. */
static void expect_two_attempts(const struct solved *s, const vks_cycle *cycles, const char *name)
{
    const vks_solve_report *r = &s->report;
    const vks_attempt *a = r->attempt;
    must_end(s, VKS_REASON_CONVERGED);
    cr_assert_eq(r->attempts, 2, "%s: %u attempts", name, r->attempts);
    cr_expect(a[0].precond == VKS_PRECOND_JACOBI && a[1].precond == VKS_PRECOND_AMG && a[1].in_f32);
    cr_expect_eq(a[0].iterations, a[0].budget, "%s: %u iterations of %u", name, a[0].iterations, a[0].budget);
    cr_expect_eq(a[0].reason, VKS_REASON_ITERATION_LIMIT);
    cr_expect_eq(a[1].reason, VKS_REASON_CONVERGED);
    cr_expect_eq(r->iterations, a[0].iterations + a[1].iterations);
    cr_expect_lt(a[1].iterations, 30, "%s: %u iterations with multigrid", name, a[1].iterations);
    cr_expect(same_bits(a[1].true_residual, r->true_residual));
    cr_expect_eq(r->precond, VKS_PRECOND_AMG);
    cr_expect(r->hierarchy.levels == 2 && !r->warning[0] && r->together == 0, "%s: %s", name, r->warning);
    bool found = false;
    for (uint32_t k = 0; k < r->cycle_count && k < STEPS; k++)
        found |= cycles[k].iteration == a[0].iterations && !cycles[k].keeps_directions &&
                 same_bits(cycles[k].true_residual, a[0].true_residual);
    cr_expect(found, "%s: no cycle begins where the first attempt ended", name);
}

Test(automatic, goes_on_with_multigrid_from_x_with_the_same_bits_everywhere)
{
    static const struct {
        enum precision p;
        vks_solve_options o;
        const char *name;
    } ways[] = {{PRECISION_F64, {0}, "f64"},
                {PRECISION_F32, {.rtol = 1e-4}, "f32"},
                {PRECISION_F64, {.iterate_in_f32 = 1}, "iterations in f32"}};
    struct host_csr A = tridiagonal(CHAIN, -1, 2.0001, -1);
    vks_context *c[2] = {open_host(), open_gpu()};
    for (size_t k = 0; k < A.row[CHAIN]; k++)
        A.val[k] = (float)A.val[k];
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct solved s[2];
        if (!walks_in(c[1]->device, ways[i].p))
            continue;
        for (int d = 0; d < 2; d++) {
            vks_cycle cycles[STEPS];
            vks_solve_options o = ways[i].o;
            o.cycles = cycles;
            o.cycle_capacity = STEPS;
            s[d] = solve_chain(c[d], &A, ways[i].p, o);
            expect_two_attempts(&s[d], cycles, ways[i].name);
        }
        must_match(&s[0], &s[1], A.rows, ways[i].name);
        solved_free(&s[0]);
        solved_free(&s[1]);
    }
    host_csr_free(&A);
    close_context(c[0]);
    close_context(c[1]);
}

/* The solve ends soon after the budget, with the bits of a solve without a budget. */
TestOnHost(automatic, lets_an_attempt_go_on_that_is_about_to_end)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(CHAIN, -1, 2.003, -1);
    OWNED_STRUCT(solved) s = solve_chain(c, &A, PRECISION_F64, (vks_solve_options){0}),
                         plain = solve_chain(c, &A, PRECISION_F64,
                                             (vks_solve_options){.precond = VKS_PRECOND_JACOBI});
    const vks_solve_report *r = &s.report;
    uint32_t budget = r->attempt[0].budget;
    cr_expect(r->attempts == 1 && r->iterations > budget && r->iterations <= budget + budget / 2,
              "%u iterations, %u of budget, %u attempts", r->iterations, budget, r->attempts);
    must_match(&s, &plain, CHAIN, "beyond the budget");
}

/* A solve with one strategy, not ended by the examination of A: the bits of the diagonal alone. */
TestOnHost(automatic, goes_on_with_the_diagonal_where_nothing_else_suits)
{
    OWNED_STRUCT(host_csr) chain = tridiagonal(CHAIN, 1, 2.01, 1);
    OWNED_STRUCT(solved) s = solve_chain(c, &chain, PRECISION_F64, (vks_solve_options){0}),
                         plain = solve_chain(c, &chain, PRECISION_F64,
                                             (vks_solve_options){.precond = VKS_PRECOND_JACOBI});
    const vks_solve_report *r = &s.report;
    cr_expect(strstr(r->choice, "multigrid is unsuitable"), "%s", r->choice);
    cr_expect(r->precond == VKS_PRECOND_JACOBI && r->attempts == 1 && r->attempt[0].budget == 0);
    cr_expect(r->restarts == plain.report.restarts && !r->warning[0]);
    must_match(&s, &plain, CHAIN, "after a look at A");
}

/* Pairs of nearly dependent rows; and nodes of a solid, whose unknowns are nearly independent. */
TestOnHost(automatic, takes_natural_blocks_only_where_they_explain_the_diagonal)
{
    OWNED_STRUCT(host_csr) nodes, pairs = coupled_pairs(CHAIN / 2, 2.1, 0.9);
    cr_assert_eq(generate_matrix(NULL, "elasticity3d", 8, &nodes), VKS_OK);
    OWNED_STRUCT(solved) s = solve_chain(c, &pairs, PRECISION_F64, (vks_solve_options){0}),
                         t = solve_chain(c, &nodes, PRECISION_F64, (vks_solve_options){0});
    cr_expect(s.report.precond == VKS_PRECOND_BLOCK_JACOBI && s.report.blocks == CHAIN / 2, "%u blocks: %s",
              s.report.blocks, s.report.choice);
    cr_expect(s.report.attempts == 2 && strstr(s.report.choice, "explain 0.81 "), "%s", s.report.choice);
    cr_expect(t.report.precond == VKS_PRECOND_JACOBI && t.report.blocks == 0 && t.report.attempts == 1);
    cr_expect(strstr(t.report.choice, "know their nodes"), "%s", t.report.choice);
    cr_expect(!s.report.warning[0] && !t.report.warning[0]);
}

/* A grid of two dimensions whose coefficient is 1 or 1,000 in rectangles of 7 x 5 unknowns. */
static struct host_csr rectangles(uint32_t side)
{
    uint32_t n = side * side, *row = room(5 * (size_t)n, 4), *col = room(5 * (size_t)n, 4);
    OWNED(double) *val = room(5 * (size_t)n, 8);
    size_t count = 0;
    for (uint32_t i = 0; i < n; i++) {
        static const int steps[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
        uint32_t x = i % side, y = i / side;
        double here = (x / 7 + y / 5) % 2 ? 1000 : 1, diagonal = 1e-4;
        for (int k = 0; k < 4; k++) {
            uint32_t to_x = x + (uint32_t)steps[k][0], to_y = y + (uint32_t)steps[k][1];
            if (to_x >= side || to_y >= side)
                continue;
            double weight = 2 / (1 / here + 1 / ((to_x / 7 + to_y / 5) % 2 ? 1000.0 : 1.0));
            diagonal += weight;
            row[count] = i;
            col[count] = to_y * side + to_x;
            val[count++] = -weight;
        }
        row[count] = col[count] = i;
        val[count++] = diagonal;
    }
    struct host_csr A = assemble(n, count, row, col, val);
    free(row);
    free(col);
    return A;
}

/* Multigrid takes more iterations than its budget, and far fewer than the diagonal would. */
TestOnHost(automatic, lets_multigrid_go_on_as_long_as_it_does_better)
{
    OWNED_STRUCT(host_csr) A = rectangles(104);
    OWNED_STRUCT(solved) s = solve_chain(c, &A, PRECISION_F64, (vks_solve_options){.rtol = 1e-9});
    const vks_solve_report *r = &s.report;
    must_end(&s, VKS_REASON_CONVERGED);
    cr_assert(r->attempts == 2 && r->precond == VKS_PRECOND_AMG, "%u attempts: %s", r->attempts, r->warning);
    cr_expect(r->attempt[1].iterations > r->attempt[1].budget && r->attempt[1].budget > 0,
              "%u iterations, %u of budget", r->attempt[1].iterations, r->attempt[1].budget);
    cr_expect_lt(r->attempt[1].iterations, 200);
}

/* Three strategies, the last of them with the diagonal from the x at which the first one ended. */
static void expect_return(vks_context *c, struct host_csr A, vks_reason of_multigrid, vks_reason of_solve,
                          const char *warning)
{
    vks_cycle cycles[STEPS];
    OWNED_STRUCT(solved) s =
        solve_chain(c, &A, PRECISION_F64,
                    (vks_solve_options){.cycles = cycles, .cycle_capacity = STEPS, .max_iterations = 1000});
    const vks_solve_report *r = &s.report;
    must_end(&s, of_solve);
    cr_assert_eq(r->attempts, 3);
    cr_expect(r->attempt[1].precond == VKS_PRECOND_AMG && r->attempt[1].reason == of_multigrid, "%s",
              vks_reason_name(r->attempt[1].reason));
    cr_expect(r->precond == VKS_PRECOND_JACOBI && r->hierarchy.levels == 0);
    cr_expect(strstr(r->warning, warning) && strstr(r->warning, "jacobi continued"), "\"%s\"", r->warning);
    const vks_cycle *last = &cycles[r->cycle_count - 1];
    cr_expect_eq(last->iteration, r->attempt[0].iterations + r->attempt[1].iterations);
    cr_expect(same_bits(last->true_residual, r->attempt[0].true_residual), "%g, and the best is %g",
              last->true_residual, r->attempt[0].true_residual);
    host_csr_free(&A);
}

/* Natural blocks find a negative eigenvalue; the diagonal is tried last. */
TestOnHost(automatic, goes_back_to_the_diagonal_where_natural_blocks_fail)
{
    OWNED_STRUCT(host_csr) A = coupled_pairs(CHAIN / 2, 2 - 4e-5, 0.9);
    OWNED_STRUCT(solved) s = solve_chain(c, &A, PRECISION_F64, (vks_solve_options){.max_iterations = 5000});
    const vks_solve_report *r = &s.report;
    cr_assert_eq(r->attempts, 3, "%u attempts: %s", r->attempts, r->choice);
    cr_expect(r->attempt[1].precond == VKS_PRECOND_BLOCK_JACOBI &&
                  r->attempt[1].reason == VKS_REASON_NOT_POSITIVE_DEFINITE,
              "%s", vks_reason_name(r->attempt[1].reason));
    cr_expect(r->precond == VKS_PRECOND_JACOBI && strstr(r->warning, "block-jacobi failed after"), "%s",
              r->warning);
}

/* A negative eigenvalue that the diagonal does not detect within its budget; and an unsymmetric matrix, for
 * which multigrid makes x worse. */
TestOnHost(automatic, goes_back_to_the_best_x_where_multigrid_fails)
{
    expect_return(c, tridiagonal(CHAIN, -1, 2 - 1e-5, -1), VKS_REASON_NOT_POSITIVE_DEFINITE,
                  VKS_REASON_NOT_POSITIVE_DEFINITE, "amg failed after ");
    expect_return(c, tridiagonal(CHAIN, -0.9, 2.0001, -1.1), VKS_REASON_ITERATION_LIMIT,
                  VKS_REASON_ITERATION_LIMIT, "amg lowered the residual too little after 128 iterations");
}

static struct system make_system(vks_context *c)
{
    return system_of(c, tridiagonal(CHAIN, -1, 2.0001, -1));
}

static double *x_of(const struct system *s)
{
    double *x = room(CHAIN, 8);
    must_work(s->c, vks_vector_read(s->x, 0, CHAIN, VKS_F64, x));
    return x;
}

/* Every operation of the device fails once: the solve reports it, or continues without multigrid. */
Test(automatic, does_without_multigrid_if_there_is_no_memory_for_it)
{
    struct system s = make_system(open_host());
    struct interposed *i = interposed_of(s.c->device);
    uint32_t k = 1, survived = 0;
    for (bool more = true; more; k++) {
        vks_solve_report r;
        uint32_t live = i->live;
        i->calls = i->injected = 0;
        i->fail_call = k;
        vks_status status = vks_solve(s.A, s.b, s.x, &(vks_solve_options){.zero_guess = 1, ANYWHERE}, &r);
        i->fail_call = 0;
        more = i->injected > 0;
        cr_assert_eq(i->live, live, "%u arrays were left behind after failure %u", i->live - live, k);
        if (status) {
            must_refuse(s.c, status, i->status, "injected failure");
            continue;
        }
        cr_assert_eq(r.reason, VKS_REASON_CONVERGED, "failure %u: %s", k, r.detail);
        cr_assert(vks_context_message(s.c)[0] == 0);
        if (!more)
            continue;
        cr_assert(i->status == VKS_DEVICE_MEMORY || i->status == VKS_OUT_OF_MEMORY, "%s",
                  vks_status_name(i->status));
        cr_assert_eq(r.precond, VKS_PRECOND_JACOBI, "failure %u: %s, %u attempts, %s", k,
                     vks_status_name(i->status), r.attempts, r.warning);
        survived++;
    }
    cr_expect_gt(survived, 20, "%u failures were survived", survived);
    cr_expect_gt(k, 300);
    system_free(&s);
    close_context(s.c);
}

Test(automatic, is_the_diagonal_in_calls_of_conjugate_gradients)
{
    struct system s = make_system(open_host());
    vks_solve_report r, reported;
    const vks_solve_options plain = {.zero_guess = 1, .precond = VKS_PRECOND_JACOBI},
                            none = {.zero_guess = 1};
    const vks_precond_options automatic = {0};
    const vks_solve_options nested = {.zero_guess = 1, .precond_options = &automatic},
                            whole = {.zero_guess = 1, .precond_options = &automatic, ANYWHERE};
    must_work(s.c, vks_solve(s.A, s.b, s.x, &plain, &reported));
    double *want = x_of(&s);
    for (int i = 0; i < 2; i++) {
        must_work(s.c, vks_cg_solve(s.A, s.b, s.x, i ? &nested : &none, &r));
        OWNED(double) *x = x_of(&s);
        must_equal(x, want, CHAIN, "the diagonal");
        cr_expect(r.iterations == reported.iterations && r.attempts == 0);
    }
    must_work(s.c, vks_solve(s.A, s.b, s.x, &whole, &r));
    cr_expect_eq(r.attempts, 2, "precond_options of kind AUTO choose, too");
    free(want);
    system_free(&s);
    close_context(s.c);
}
