/* Where a solve restarted from the true residual, as reported by options.cycles. */
#include "tests/support/solve.h"

#include <string.h>

enum { N = 500, MOST = 64 };

struct reported {
    struct solved s;
    vks_cycle cycles[MOST];
};

/* The solution at 1e-12 is unreachable in f32. */
static struct reported solve_telling(vks_context *c, enum precision p, vks_solve_options o, uint32_t capacity)
{
    struct reported t = {.cycles = {{.iteration = 0}}};
    OWNED_STRUCT(host_csr) A = random_spd(PRECISION_F32, N, 3);
    OWNED(double) *b = random_vector(PRECISION_F32, N, 3, 4);
    for (int k = 0; k < MOST; k++)
        t.cycles[k] = (vks_cycle){UINT32_MAX, -1, -1};
    o.rtol = 1e-12;
    o.history_capacity = 20000;
    o.cycles = t.cycles;
    o.cycle_capacity = capacity;
    struct problem q = {&A, b, NULL, p, o};
    t.s = solve(c, &q);
    return t;
}

/* The first cycle begins from x0; each later one begins after iterations that have at least halved the
 * residual, whose recurrence value is also available. */
static void check_cycles(const struct reported *t)
{
    const vks_solve_report *r = &t->s.report;
    uint32_t restarts = 0;
    cr_assert(r->cycle_count > 1 && r->cycle_count < MOST, "%u", r->cycle_count);
    cr_expect_eq(t->cycles[0].iteration, 0);
    cr_expect_eq(t->cycles[0].keeps_directions, 0);
    cr_expect(same_bits(t->cycles[0].true_residual, r->initial_residual));
    for (uint32_t k = 1; k < r->cycle_count; k++) {
        const vks_cycle *before = &t->cycles[k - 1], *now = &t->cycles[k];
        cr_assert(now->iteration > before->iteration && now->iteration < r->iterations, "%u", now->iteration);
        cr_expect_leq(now->true_residual, before->true_residual / 2, "cycle %u", k);
        double recurrence = t->s.history[(now->iteration - 1) / r->history_step];
        cr_expect(recurrence <= now->true_residual * 1.1, "cycle %u: %g, %g", k, recurrence,
                  now->true_residual);
        restarts += !now->keeps_directions;
    }
    cr_expect_eq(restarts, r->restarts);
    cr_expect_eq(t->cycles[r->cycle_count].iteration, UINT32_MAX, "written beyond the count");
}

TestOnBoth(cycles, restarts_are_reported_with_their_iteration_and_residual)
{
    static const vks_solve_options methods[] = {{.precond = VKS_PRECOND_NONE},
                                                {.method = VKS_METHOD_JACOBI, .weight = VKS_WEIGHT_AUTO}};
    for (int i = 0; i < 2; i++) {
        struct reported t = solve_telling(c, PRECISION_F32, methods[i], MOST);
        check_cycles(&t);
        cr_expect_eq(t.s.report.restarts, t.s.report.cycle_count - 1);
        solved_free(&t.s);
    }
}

TestOnBoth(cycles, refinements_are_reported_as_keeping_their_directions)
{
    struct reported t = solve_telling(c, PRECISION_F64, (vks_solve_options){.iterate_in_f32 = 1}, MOST);
    must_end(&t.s, VKS_REASON_CONVERGED);
    check_cycles(&t);
    cr_expect_eq(t.s.report.restarts, 0);
    cr_expect_leq(t.s.report.cycle_count, t.s.report.refinements);
    solved_free(&t.s);
}

TestOnHost(cycles, more_than_there_is_room_for_are_dropped)
{
    struct reported none = solve_telling(c, PRECISION_F64, (vks_solve_options){.iterate_in_f32 = 1}, 0);
    struct reported two = solve_telling(c, PRECISION_F64, (vks_solve_options){.iterate_in_f32 = 1}, 2);
    cr_expect_eq(none.s.report.cycle_count, 0);
    cr_expect_eq(two.s.report.cycle_count, 2);
    cr_expect_gt(two.s.report.refinements, 2);
    cr_expect_eq(none.cycles[0].iteration, UINT32_MAX);
    cr_expect_eq(two.cycles[2].iteration, UINT32_MAX);
    must_match(&none.s, &two.s, N, "reported and not reported");
    solved_free(&none.s);
    solved_free(&two.s);
}

TestOnHost(cycles, a_solver_that_is_kept_tells_those_of_each_solve)
{
    OWNED_STRUCT(host_csr) A = random_spd(PRECISION_F32, N, 3);
    OWNED(double) *b = random_vector(PRECISION_F32, N, 3, 4);
    vks_cycle cycles[MOST];
    vks_solve_options o = {
        .rtol = 1e-12, .iterate_in_f32 = 1, .zero_guess = 1, .cycles = cycles, .cycle_capacity = MOST};
    vks_solve_report first, second;
    OWNED(vks_matrix) *m;
    OWNED(vks_solver) *solver;
    must_work(c, vks_matrix_from_csr(c, N, N, A.row, A.col, A.val, NULL, &m));
    OWNED(vks_vector) *vb = vector_of(c, PRECISION_F64, b, N), *vx = vector_of(c, PRECISION_F64, NULL, N);
    must_work(c, vks_solver_create(m, &o, &solver));
    must_work(c, vks_solver_solve(solver, vb, vx, &first));
    vks_cycle last = cycles[first.cycle_count - 1];
    memset(cycles, 0, sizeof cycles);
    must_work(c, vks_solver_solve(solver, vb, vx, &second));
    cr_assert_eq(second.cycle_count, first.cycle_count);
    cr_expect_eq(cycles[second.cycle_count - 1].iteration, last.iteration);
    cr_expect(same_bits(cycles[second.cycle_count - 1].true_residual, last.true_residual));
}
