/* A cancellation also takes effect in long setups, of preconditioners and of scaled systems: the solve keeps
 * its x, nothing leaks, and a kept solver can continue. */
#include "small_matrix.h"
#include "tests/support/hard_to_match.h"
#include "tests/support/solve.h"
#include "tests/support/system.h"
#include "vksolve/precond.h"

#include <math.h>

enum { CHAIN = 1100 };

/* Cancels at one of the calls in a setup. */
struct canceller {
    uint32_t after; /* the iterations before that setup */
    uint32_t at;    /* 0: never */
    uint32_t calls;
};

static int cancel_in_setup(void *user, const vks_progress *p)
{
    struct canceller *c = user;
    bool before_all = isnan(p->residual);
    if (before_all != (c->after == 0) || (!before_all && p->iteration != c->after))
        return 0;
    cr_expect(!before_all || p->iteration == c->calls + 1, "step %u reported as %u", c->calls + 1,
              p->iteration);
    cr_expect(isnan(p->residual) == isnan(p->target) && p->seconds >= 0 && p->seconds < 100);
    return ++c->calls == c->at;
}

static vks_solve_report solve_with(const struct system *s, vks_solve_options o, struct canceller *by)
{
    vks_solve_report r;
    by->calls = 0;
    o.zero_guess = 1;
    o.progress = cancel_in_setup;
    o.user = by;
    uint64_t before = s->c->device->bytes;
    must_work(s->c, vks_solve(s->A, s->b, s->x, &o, &r));
    cr_expect_eq(s->c->device->bytes, before, "call %u leaks", by->at);
    return r;
}

/* Cancels at each call of a setup except the first `passed`. Returns the number of calls. */
static uint32_t cancel_at_each(const struct system *s, vks_solve_options o, uint32_t passed)
{
    struct canceller by = {0};
    cr_expect_eq(solve_with(s, o, &by).reason, VKS_REASON_CONVERGED);
    uint32_t calls = by.calls;
    for (by.at = passed + 1; by.at <= calls; by.at++) {
        vks_solve_report r = solve_with(s, o, &by);
        cr_expect_eq(r.reason, VKS_REASON_CANCELLED, "call %u: %s", by.at, vks_reason_name(r.reason));
        cr_expect_eq(by.calls, by.at, "call %u: the set-up went on", by.at);
        cr_expect(r.iterations == 0 && r.true_residual == 1 && !r.detail[0] && r.row == UINT32_MAX);
    }
    return calls;
}

TestOnBoth(cancel, ends_the_set_up_of_multigrid_between_its_steps)
{
    static const vks_precond_options multigrid = {.kind = VKS_PRECOND_AMG},
                                     all[] = {{.kind = VKS_PRECOND_AMG},
                                              {.kind = VKS_PRECOND_AMG, .in_f32 = 1},
                                              {.kind = VKS_PRECOND_CHEBYSHEV, .inner = &multigrid}};
    struct host_csr a = model("poisson2d", 30);
    OWNED_STRUCT(system) s = system_of(c, a);
    bool is_host = c->device->info.kind == DEVICE_HOST; /* on other devices a setup takes a second */
    for (size_t k = 0; k < (is_host ? sizeof all / sizeof *all : 1); k++) {
        vks_solve_options o = {.method = VKS_METHOD_CG, .precond_options = &all[k]};
        uint32_t calls = cancel_at_each(&s, o, is_host ? 0 : 1);
        cr_expect(calls == 3 || !is_host, "%u calls for two levels", calls);
    }
}

/* The setups of FSAI poll between their steps, and before the values of each factor. */
TestOnHost(cancel, ends_the_set_up_of_fsai_between_its_steps)
{
    static const vks_precond_options fsai = {.kind = VKS_PRECOND_FSAI, .steps = 3};
    struct host_csr a = model("poisson2d", 12);
    OWNED_STRUCT(system) s = system_of(c, a);
    vks_solve_options o = {.method = VKS_METHOD_CG, .precond_options = &fsai};
    cr_expect_eq(cancel_at_each(&s, o, 0), 4);
    o.method = VKS_METHOD_IDR;
    cr_expect_eq(cancel_at_each(&s, o, 0), 8);
}

/* A stencil whose full factors take some millions of updates. */
TestOnHost(cancel, ends_the_set_up_of_ilut_between_rows)
{
    static const vks_precond_options blocks = {.kind = VKS_PRECOND_ILUT}, uncut = {.kind = VKS_PRECOND_ILUT,
                                                                                   .fill = 50,
                                                                                   .drop = 1e-7,
                                                                                   .rows = VKS_ALL_ROWS};
    struct host_csr a = model("poisson2d", 50);
    OWNED_STRUCT(system) s = system_of(c, a);
    vks_solve_options o = {.method = VKS_METHOD_GMRES, .precond_options = &blocks};
    cr_expect_geq(cancel_at_each(&s, o, 0), 1);
    o.precond_options = &uncut;
    uint32_t calls = cancel_at_each(&s, o, 0);
    cr_expect_gt(calls, 2, "%u calls", calls);
}

/* A cancelled matching is not used. */
TestOnHost(cancel, ends_the_search_for_a_matching)
{
    static const vks_precond_options fsai = {.kind = VKS_PRECOND_FSAI, .steps = 1};
    OWNED_STRUCT(system) s = system_of(c, hard_to_match(200, 100));
    struct canceller by = {0};
    vks_solve_options o = {.method = VKS_METHOD_IDR,
                           .scaling = VKS_SCALING_MATCH,
                           .max_iterations = 1,
                           .precond_options = &fsai};
    solve_with(&s, o, &by);
    uint32_t calls = by.calls;
    cr_expect_gt(calls, 2, "%u calls", calls);
    for (by.at = 1; by.at <= calls; by.at++) {
        vks_solve_report r = solve_with(&s, o, &by);
        cr_expect_eq(r.reason, VKS_REASON_CANCELLED, "call %u: %s", by.at, vks_reason_name(r.reason));
        cr_expect_eq(by.calls, by.at, "call %u: the set-up went on", by.at);
        cr_expect(r.iterations == 0 && r.precond == VKS_PRECOND_FSAI && !r.detail[0]);
    }
}

/* The iterations with the diagonal, after which multigrid is tried. */
static uint32_t budget_of(const struct system *s)
{
    struct canceller by = {.after = UINT32_MAX};
    vks_solve_report r = solve_with(s, (vks_solve_options){ANYWHERE}, &by);
    cr_assert(r.reason == VKS_REASON_CONVERGED && r.attempts == 2, "%s", r.choice);
    return r.attempt[0].iterations;
}

static void expect_jacobis_x(const vks_solve_report *r, uint32_t budget)
{
    cr_expect_eq(r->reason, VKS_REASON_CANCELLED, "%s", vks_reason_name(r->reason));
    cr_expect(r->iterations == budget && r->true_residual < 1 && !r->warning[0], "%s", r->warning);
    cr_assert_eq(r->attempts, 2);
    cr_expect(r->attempt[1].precond == VKS_PRECOND_AMG && r->attempt[1].iterations == 0 &&
              r->attempt[1].reason == VKS_REASON_CANCELLED);
    cr_expect(same_bits(r->attempt[1].true_residual, r->attempt[0].true_residual));
}

TestOnHost(cancel, keeps_the_x_of_the_attempt_before_multigrid)
{
    OWNED_STRUCT(system) s = system_of(c, tridiagonal(CHAIN, -1, 2.0001, -1));
    struct canceller by = {.after = budget_of(&s), .at = 2};
    vks_solve_report r = solve_with(&s, (vks_solve_options){ANYWHERE}, &by);
    expect_jacobis_x(&r, by.after);
    cr_expect_eq(by.calls, 2);
}

TestOnHost(cancel, lets_a_kept_solver_set_up_multigrid_in_its_next_solve)
{
    OWNED_STRUCT(system) s = system_of(c, tridiagonal(CHAIN, -1, 2.0001, -1));
    struct canceller by = {.after = budget_of(&s), .at = 1};
    vks_solve_options o = {.zero_guess = 1, .progress = cancel_in_setup, .user = &by, ANYWHERE};
    vks_solve_report r;
    OWNED(vks_solver) *solver;
    must_work(c, vks_solver_create(s.A, &o, &solver));
    must_work(c, vks_solver_solve(solver, s.b, s.x, &r));
    expect_jacobis_x(&r, by.after);
    must_work(c, vks_solver_solve(solver, s.b, s.x, &r));
    cr_expect_eq(r.reason, VKS_REASON_CONVERGED, "%s: %s", vks_reason_name(r.reason), r.detail);
    cr_expect(r.attempts == 2 && r.hierarchy.levels == 2 && by.calls > 3, "%u calls", by.calls);
}

static void must_converge(const struct system *s, vks_solver *solver, struct canceller *by)
{
    vks_solve_report r;
    *by = (struct canceller){0};
    must_work(s->c, vks_solver_solve(solver, s->b, s->x, &r));
    cr_expect_eq(r.reason, VKS_REASON_CONVERGED, "%s: %s", vks_reason_name(r.reason), r.detail);
    cr_expect_gt(by->calls, 0, "nothing was set up");
}

/* Sets the values of A again, as new ones. */
static void renew(const struct system *s)
{
    OWNED(double) *values = calloc(vks_matrix_entries(s->A), sizeof *values);
    must_work(s->c, vks_matrix_to_csr(s->A, NULL, NULL, VKS_F64, values));
    must_work(s->c, vks_matrix_set_values(s->A, VKS_F64, values));
}

/* Cancels at the call `at` of the setup in vks_solver_create, and at `at_new` of one for new values, in
 * vks_solver_update and in a solve. */
static void cancel_kept(const struct system *s, vks_solve_options o, struct canceller *by, uint32_t at,
                        uint32_t at_new)
{
    vks_solver *solver;
    vks_solve_report r;
    uint64_t before = s->c->device->bytes;
    *by = (struct canceller){.at = at};
    must_work(s->c, vks_solver_create(s->A, &o, &solver));
    cr_expect_eq(by->calls, at, "the set-up went on for %u calls, not %u", by->calls, at);
    must_converge(s, solver, by);
    renew(s);
    *by = (struct canceller){.at = at_new};
    must_work(s->c, vks_solver_update(solver));
    cr_expect_eq(by->calls, at_new, "the update went on for %u calls, not %u", by->calls, at_new);
    must_converge(s, solver, by);
    renew(s);
    *by = (struct canceller){.at = at_new};
    must_work(s->c, vks_solver_solve(solver, s->b, s->x, &r));
    cr_expect(r.reason == VKS_REASON_CANCELLED && r.iterations == 0 && r.true_residual == 1);
    cr_expect_eq(by->calls, at_new, "the solve's set-up went on for %u calls, not %u", by->calls, at_new);
    must_converge(s, solver, by);
    vks_solver_destroy(solver);
    cr_expect_eq(s->c->device->bytes, before, "call %u leaks", at);
}

TestOnHost(cancel, ends_the_set_up_of_a_kept_solver_which_its_next_solve_does_again)
{
    static const vks_precond_options kinds[] = {{.kind = VKS_PRECOND_AMG}, {.kind = VKS_PRECOND_FSAI}};
    struct host_csr a = model("poisson2d", 30);
    OWNED_STRUCT(system) s = system_of(c, a);
    for (int k = 0; k < 2; k++) {
        struct canceller by = {0};
        vks_solve_options o = {.method = VKS_METHOD_CG,
                               .precond_options = &kinds[k],
                               .zero_guess = 1,
                               .progress = cancel_in_setup,
                               .user = &by};
        solve_with(&s, o, &by);
        uint32_t calls = by.calls;
        cr_expect_gt(calls, 1);
        for (uint32_t at = 1; at <= calls; at++)
            cancel_kept(&s, o, &by, at, k ? 1 : at); /* FSAI updates values in one step */
    }
}

/* The second strategy computes a matching, and makes FSAI. */
TestOnHost(cancel, lets_a_kept_solver_of_several_methods_begin_again)
{
    OWNED_STRUCT(system) s = system_of(c, tridiagonal(5000, -1, 0.001, 1));
    struct canceller by = {.after = UINT32_MAX};
    uint32_t first = solve_with(&s, (vks_solve_options){ANYWHERE}, &by).attempt[0].iterations;
    by = (struct canceller){.after = first, .at = 6};
    vks_solve_options o = {.zero_guess = 1, .progress = cancel_in_setup, .user = &by, ANYWHERE};
    vks_solve_report r;
    OWNED(vks_solver) *solver;
    must_work(c, vks_solver_create(s.A, &o, &solver));
    must_work(c, vks_solver_solve(solver, s.b, s.x, &r));
    cr_expect_eq(r.reason, VKS_REASON_CANCELLED);
    cr_expect(r.iterations == first && r.attempts == 2 && r.attempt[1].precond == VKS_PRECOND_FSAI,
              "%u attempts", r.attempts);
    must_work(c, vks_solver_solve(solver, s.b, s.x, &r));
    cr_expect(r.reason == VKS_REASON_CONVERGED && r.attempts > 1, "%s: %s", vks_reason_name(r.reason),
              r.detail);
}

static void must_be_cancelled(const struct system *s, vks_precond *M, const struct canceller *by)
{
    vks_precond_facts facts;
    vks_solve_report r;
    must_work(s->c, vks_precond_report(M, &facts));
    cr_expect_eq(facts.reason, VKS_REASON_CANCELLED, "call %u: %s", by->at, vks_reason_name(facts.reason));
    cr_expect_eq(by->calls, by->at, "call %u: the set-up went on", by->at);
    must_refuse(s->c, vks_precond_apply(M, s->b, s->x), VKS_INVALID_ARGUMENT, "was cancelled");
    vks_solve_options o = {.method = VKS_METHOD_IDR, .shared_precond = M};
    must_work(s->c, vks_solve(s->A, s->b, s->x, &o, &r));
    cr_expect_eq(r.reason, VKS_REASON_CANCELLED, "call %u: %s", by->at, vks_reason_name(r.reason));
}

/* Cancels the creation of M at a call, and again an update. Then M updates its values. */
static void cancel_precond(const struct system *s, vks_precond_options o, struct canceller *by, uint32_t at)
{
    enum { N = 900 };
    static double z[N], wanted[N];
    OWNED(vks_precond) *M, *whole;
    *by = (struct canceller){.at = at};
    must_work(s->c, vks_precond_create(s->A, &o, &M));
    must_be_cancelled(s, M, by);
    *by = (struct canceller){.at = at};
    must_work(s->c, vks_precond_update(M));
    must_be_cancelled(s, M, by);
    *by = (struct canceller){0};
    must_work(s->c, vks_precond_update(M));
    must_work(s->c, vks_precond_apply(M, s->b, s->x));
    must_work(s->c, vks_vector_read(s->x, 0, N, VKS_F64, z));
    o.progress = NULL;
    must_work(s->c, vks_precond_create(s->A, &o, &whole));
    must_work(s->c, vks_precond_apply(whole, s->b, s->x));
    must_work(s->c, vks_vector_read(s->x, 0, N, VKS_F64, wanted));
    cr_expect_eq(memcmp(z, wanted, sizeof z), 0, "call %u: other bits than without", at);
}

TestOnHost(cancel, ends_the_set_up_of_a_preconditioner_which_an_update_does_again)
{
    static const vks_precond_options amg = {.kind = VKS_PRECOND_AMG},
                                     kinds[] = {{.kind = VKS_PRECOND_AMG, .amg.refresh = VKS_AMG_KEEP},
                                                {.kind = VKS_PRECOND_FSAI, .steps = 3},
                                                {.kind = VKS_PRECOND_ILUT},
                                                {.kind = VKS_PRECOND_CHEBYSHEV, .inner = &amg}};
    struct host_csr a = model("poisson2d", 30);
    OWNED_STRUCT(system) s = system_of(c, a);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct canceller by = {0};
        vks_precond_options o = kinds[k];
        vks_precond *M;
        o.progress = cancel_in_setup;
        o.user = &by;
        uint64_t before = c->device->bytes;
        must_work(c, vks_precond_create(s.A, &o, &M));
        vks_precond_destroy(M);
        uint32_t calls = by.calls;
        cr_expect_geq(calls, 1, "%s", vks_precond_name(o.kind));
        for (uint32_t at = 1; at <= calls; at++)
            cancel_precond(&s, o, &by, at);
        cr_expect_eq(c->device->bytes, before, "%s leaks", vks_precond_name(o.kind));
    }
}
