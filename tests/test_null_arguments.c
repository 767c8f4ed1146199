/* Solves, plans, preconditioners and solvers refuse NULL. The message is in the context or, without one, in
 * the report. */
#include "small_matrix.h"
#include "tests/support/solve.h"
#include "tests/support/system.h"
#include "vksolve/plan.h"
#include "vksolve/precond.h"

enum { N = 9 };

static void must_be_invalid(vks_status s)
{
    cr_expect_eq(s, VKS_INVALID_ARGUMENT, "%s", vks_status_name(s));
}

TestOnHost(null_arguments, are_refused_by_solves_and_plans)
{
    OWNED_STRUCT(system) s = system_of(c, tridiagonal(N, -1, 4, -1));
    vks_solve_report r;
    vks_plan plan;
    vks_status (*const solves[])(const vks_matrix *, const vks_vector *, vks_vector *,
                                 const vks_solve_options *, vks_solve_report *) = {
        vks_solve, vks_cg_solve, vks_jacobi_solve, vks_fixed_point_solve};
    for (size_t i = 0; i < sizeof solves / sizeof *solves; i++) {
        must_be_invalid(solves[i](NULL, s.b, s.x, NULL, NULL));
        must_be_invalid(solves[i](NULL, s.b, s.x, NULL, &r));
        cr_expect(r.reason == VKS_REASON_NOT_RUN && !strcmp(r.detail, "A is NULL"), "%s", r.detail);
        must_refuse(c, solves[i](s.A, NULL, s.x, NULL, &r), VKS_INVALID_ARGUMENT, "b is NULL");
        must_refuse(c, solves[i](s.A, s.b, NULL, NULL, &r), VKS_INVALID_ARGUMENT, "x is NULL");
    }
    must_be_invalid(vks_solve_plan(NULL, NULL, &plan));
    must_refuse(c, vks_solve_plan(s.A, NULL, NULL), VKS_INVALID_ARGUMENT, "plan is NULL");
}

TestOnHost(null_arguments, are_refused_by_preconditioners)
{
    OWNED_STRUCT(system) s = system_of(c, tridiagonal(N, -1, 4, -1));
    vks_precond_facts facts;
    OWNED(vks_precond) *M = (vks_precond *)&s;
    must_be_invalid(vks_precond_create(NULL, NULL, &M));
    cr_expect_null(M);
    must_refuse(c, vks_precond_create(s.A, NULL, NULL), VKS_INVALID_ARGUMENT, "M is NULL");
    must_be_invalid(vks_precond_apply(NULL, s.b, s.x));
    must_be_invalid(vks_precond_update(NULL));
    must_be_invalid(vks_precond_report(NULL, &facts));
    must_work(c, vks_precond_create(s.A, NULL, &M));
    must_refuse(c, vks_precond_apply(M, NULL, s.x), VKS_INVALID_ARGUMENT, "r is NULL");
    must_refuse(c, vks_precond_apply(M, s.b, NULL), VKS_INVALID_ARGUMENT, "z is NULL");
    must_refuse(c, vks_precond_report(M, NULL), VKS_INVALID_ARGUMENT, "facts is NULL");
}

static void call_no_solver(struct system *s)
{
    vks_solve_report r;
    int ended;
    must_be_invalid(vks_solver_update(NULL));
    must_be_invalid(vks_solver_set_limits(NULL, 0, 0, 0));
    must_be_invalid(vks_solver_submit(NULL, s->b, s->x));
    must_be_invalid(vks_solver_poll(NULL, &ended, &r));
    must_be_invalid(vks_solver_wait(NULL, 1, &r));
    must_be_invalid(vks_solver_solve_many(NULL, 0, NULL, NULL, NULL));
    must_be_invalid(vks_solver_solve(NULL, s->b, s->x, &r));
    cr_expect_str_eq(r.detail, "solver is NULL");
    vks_solver_cancel(NULL);
}

TestOnHost(null_arguments, are_refused_by_solvers)
{
    OWNED_STRUCT(system) s = system_of(c, tridiagonal(N, -1, 4, -1));
    vks_solve_report r;
    OWNED(vks_solver) *solver = (vks_solver *)&s;
    call_no_solver(&s);
    must_be_invalid(vks_solver_create(NULL, NULL, &solver));
    cr_expect_null(solver);
    must_refuse(c, vks_solver_create(s.A, NULL, NULL), VKS_INVALID_ARGUMENT, "solver is NULL");
    must_work(c, vks_solver_create(s.A, NULL, &solver));
    must_refuse(c, vks_solver_submit(solver, NULL, s.x), VKS_INVALID_ARGUMENT, "b is NULL");
    must_refuse(c, vks_solver_solve(solver, s.b, NULL, &r), VKS_INVALID_ARGUMENT, "x is NULL");
    must_refuse(c, vks_solver_solve_many(solver, 1, NULL, &s.x, NULL), VKS_INVALID_ARGUMENT, "b is NULL");
    must_work(c, vks_solver_submit(solver, s.b, s.x));
    must_refuse(c, vks_solver_poll(solver, NULL, &r), VKS_INVALID_ARGUMENT, "ended is NULL");
    must_work(c, vks_solver_wait(solver, 1, &r));
}
