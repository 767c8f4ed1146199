/* The automatic choice when memory runs out: what is reported, and that a call may be repeated. */
#include "small_matrix.h"
#include "tests/support/solve.h"
#include "tests/support/system.h"

/* With these values auto tries natural blocks after the diagonal; with the others it tries only the diagonal.
 */
static struct system make_pairs(void)
{
    return system_of(open_host(), coupled_pairs(600, 2.1, 0.9));
}

Test(auto_memory, a_solve_and_an_update_may_be_repeated_after_a_failure)
{
    bool more = true;
    uint32_t reported = 0;
    for (uint32_t call = 1; more; call++) {
        struct system s = make_pairs();
        struct interposed *i = interposed_of(s.c->device);
        vks_solver *solver;
        vks_solve_report r;
        must_work(s.c, vks_solver_create(s.A, &(vks_solve_options){.zero_guess = 1, ANYWHERE}, &solver));
        i->calls = i->injected = 0;
        i->fail_call = call;
        /* some failures are not reported: another strategy is tried */
        (void)vks_solver_solve(solver, s.b, s.x, &r);
        more = i->injected > 0;
        i->fail_call = 0;
        must_work(s.c, vks_matrix_set_values(s.A, VKS_F64, s.host.val));
        must_work(s.c, vks_solver_update(solver));
        must_work(s.c, vks_solver_solve(solver, s.b, s.x, &r));
        cr_expect(r.reason == VKS_REASON_CONVERGED && r.precond == VKS_PRECOND_BLOCK_JACOBI,
                  "call %u: %s, %s", call, vks_reason_name(r.reason), r.choice);
        reported += r.attempts == 2;
        vks_solver_destroy(solver);
        system_free(&s);
        close_context(s.c);
        cr_assert_lt(call, 400);
    }
    cr_expect_gt(reported, 20);
}

/* There are more rows than the limit below which nothing is summed. */
TestOnHost(auto_memory, tells_that_entries_could_not_be_summed)
{
    struct host_csr grid = model("poisson2d", 34);
    OWNED_STRUCT(system) q = system_of(c, grid);
    struct interposed *i = interposed_of(c->device);
    uint32_t reported = 0;
    for (uint32_t call = 1; call < 300; call++) {
        vks_solve_report r;
        i->calls = i->injected = 0;
        i->fail_call = call;
        vks_status status = vks_solve(q.A, q.b, q.x, &(vks_solve_options){.zero_guess = 1, ANYWHERE}, &r);
        i->fail_call = 0;
        if (status)
            continue;
        cr_expect_null(strstr(r.choice, "no off-diagonal entries"), "call %u: %s", call, r.choice);
        reported += strstr(r.choice, "memory ran out") != NULL;
    }
    cr_expect_gt(reported, 0);
}
