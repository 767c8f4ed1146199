/* Who cancels is heard in the set-up of multigrid, too: the solve keeps its x, nothing leaks, and a kept
 * solver can go on. */
#include "cli/generate_matrix.h"
#include "small_matrix.h"
#include "tests/support/device_matrix.h"
#include "tests/support/solve.h"
#include "vksolve/precond.h"

#include <math.h>

enum { CHAIN = 1100 };

/* Cancels at one of the calls in the set-up of multigrid. */
struct canceller {
    uint32_t after; /* the iterations before that set-up */
    uint32_t at;    /* 0: never */
    uint32_t calls;
};

static int cancel_in_setup(void *user, const vks_progress *p)
{
    struct canceller *c = user;
    if (p->iteration != c->after || (c->after == 0) != isnan(p->residual))
        return 0;
    cr_expect(isnan(p->residual) == isnan(p->target) && p->seconds >= 0 && p->seconds < 100);
    return ++c->calls == c->at;
}

struct system {
    vks_context *c;
    vks_matrix *A;
    vks_vector *b, *x;
};

static struct system system_of(vks_context *c, struct host_csr a)
{
    double *values = random_vector(PRECISION_F64, a.rows, 2, 5);
    struct system s = {c, put_on(c, &a, PRECISION_F64, VKS_FORMAT_CSR),
                       vector_of(c, PRECISION_F64, values, a.rows),
                       vector_of(c, PRECISION_F64, NULL, a.rows)};
    free(values);
    host_csr_free(&a);
    return s;
}

static void system_free(struct system *s)
{
    vks_vector_destroy(s->b);
    vks_vector_destroy(s->x);
    vks_matrix_destroy(s->A);
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

static void cancel_each(vks_context *c)
{
    static const vks_precond_options multigrid = {.kind = VKS_PRECOND_AMG},
                                     all[] = {{.kind = VKS_PRECOND_AMG},
                                              {.kind = VKS_PRECOND_AMG, .in_f32 = 1},
                                              {.kind = VKS_PRECOND_CHEBYSHEV, .inner = &multigrid}};
    struct host_csr a;
    cr_assert_eq(generate_matrix(NULL, "poisson2d", 30, &a), VKS_OK);
    struct system s = system_of(c, a);
    bool is_host = c->device->info.kind == DEVICE_HOST; /* elsewhere a set-up takes a second */
    for (size_t k = 0; k < (is_host ? sizeof all / sizeof *all : 1); k++) {
        struct canceller by = {0};
        vks_solve_options o = {.method = VKS_METHOD_CG, .precond_options = &all[k]};
        uint32_t calls = 2;
        if (is_host) {
            cr_expect_eq(solve_with(&s, o, &by).reason, VKS_REASON_CONVERGED);
            calls = by.calls;
        }
        cr_expect(calls == 3 || !is_host, "%u calls for two levels", calls);
        for (by.at = is_host ? 1 : calls; by.at <= calls; by.at++) {
            vks_solve_report r = solve_with(&s, o, &by);
            cr_expect_eq(r.reason, VKS_REASON_CANCELLED, "call %u: %s", by.at, vks_reason_name(r.reason));
            cr_expect_eq(by.calls, by.at, "call %u: the set-up went on", by.at);
            cr_expect(r.iterations == 0 && r.true_residual == 1 && !r.detail[0] && r.row == UINT32_MAX);
        }
    }
    system_free(&s);
}

Test(cancel, ends_the_set_up_of_multigrid_between_its_steps)
{
    on_both(cancel_each);
}

/* The iterations with the diagonal, after which multigrid takes its turn. */
static uint32_t budget_of(const struct system *s)
{
    struct canceller by = {.after = UINT32_MAX};
    vks_solve_report r = solve_with(s, (vks_solve_options){0}, &by);
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

Test(cancel, keeps_the_x_of_the_attempt_before_multigrid)
{
    vks_context *c = open_host();
    struct system s = system_of(c, tridiagonal(CHAIN, -1, 2.0001, -1));
    struct canceller by = {.after = budget_of(&s), .at = 2};
    vks_solve_report r = solve_with(&s, (vks_solve_options){0}, &by);
    expect_jacobis_x(&r, by.after);
    cr_expect_eq(by.calls, 2);
    system_free(&s);
    close_context(c);
}

Test(cancel, lets_a_kept_solver_set_up_multigrid_in_its_next_solve)
{
    vks_context *c = open_host();
    struct system s = system_of(c, tridiagonal(CHAIN, -1, 2.0001, -1));
    struct canceller by = {.after = budget_of(&s), .at = 1};
    vks_solve_options o = {.zero_guess = 1, .progress = cancel_in_setup, .user = &by};
    vks_solve_report r;
    vks_solver *solver;
    must_work(c, vks_solver_create(s.A, &o, &solver));
    must_work(c, vks_solver_solve(solver, s.b, s.x, &r));
    expect_jacobis_x(&r, by.after);
    must_work(c, vks_solver_solve(solver, s.b, s.x, &r));
    cr_expect_eq(r.reason, VKS_REASON_CONVERGED, "%s: %s", vks_reason_name(r.reason), r.detail);
    cr_expect(r.attempts == 2 && r.hierarchy.levels == 2 && by.calls > 3, "%u calls", by.calls);
    vks_solver_destroy(solver);
    system_free(&s);
    close_context(c);
}
