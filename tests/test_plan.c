/* vks_solve_plan: what a solve would do. */
#include "small_matrix.h"
#include "solvers/auto/strategy.h"
#include "tests/support/unsymmetric.h"
#include "vksolve/plan.h"

/* Rows of the list that begin a setup, as in a plan. */
static uint32_t setups_in_list(void)
{
    uint32_t count = 0;
    for (uint32_t row = 0; row < strategy_count; row++)
        count += !all_strategies[row].shares_setup;
    return count;
}

TestOnHost(plan, lists_the_strategies_without_a_solve)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(300, -1, 3, -0.5);
    vks_plan plan;
    OWNED(vks_matrix) *m = matrix_from(c, &A, NULL);
    must_work(c, vks_solve_plan(m, NULL, &plan));
    cr_assert(setups_in_list() <= VKS_LARGEST_ATTEMPTS, "a plan has room for all");
    cr_expect(plan.square && !plan.symmetric && plan.positive && !plan.weak &&
              plan.count == setups_in_list());
    for (uint32_t k = 0; k < plan.count; k++)
        cr_expect(!(plan.row[k].applies && plan.row[k].method == VKS_METHOD_CG));
    vks_matrix_destroy(m);
    must_work(c, vks_matrix_from_csr(c, 2, 3, (const uint32_t[]){0, 1, 2}, (const uint32_t[]){0, 2},
                                     (const double[]){1, 2}, NULL, &m));
    must_work(c, vks_solve_plan(m, NULL, &plan));
    cr_expect(!plan.square && plan.count == 1 && plan.row[0].method == VKS_METHOD_LSMR);
    must_refuse(c, vks_solve_plan(m, &(vks_solve_options){.method = VKS_METHOD_IDR}, &plan),
                VKS_INVALID_ARGUMENT, "A is 2 x 3");
}

/* The rows and columns of these have weak diagonals, so the scaling would be match. */
TestOnHost(plan, is_one_attempt_where_options_ask_for_it)
{
    static const vks_precond_options ilut = {.kind = VKS_PRECOND_ILUT, .fill = 3},
                                     steps = {.kind = VKS_PRECOND_INNER, .method = VKS_METHOD_CG};
    OWNED_STRUCT(host_csr) A = saddle();
    vks_plan p;
    OWNED(vks_matrix) *m = matrix_from(c, &A, NULL);
    must_work(c, vks_solve_plan(m, &(vks_solve_options){.method = VKS_METHOD_IDR}, &p));
    cr_expect(p.count == 1 && p.row[0].applies && p.row[0].method == VKS_METHOD_IDR && p.weak == 20);
    cr_expect(p.row[0].precond->kind == VKS_PRECOND_JACOBI && p.row[0].scaling == VKS_SCALING_MATCH);
    must_work(
        c, vks_solve_plan(m, &(vks_solve_options){.method = VKS_METHOD_GMRES, .precond_options = &ilut}, &p));
    cr_expect(p.row[0].precond == &ilut && p.row[0].restart == 30);
    must_work(c, vks_solve_plan(
                     m, &(vks_solve_options){.method = VKS_METHOD_IDR, .precond = VKS_PRECOND_SADDLE}, &p));
    cr_expect_eq(p.row[0].scaling, VKS_SCALING_RUIZ);
    must_refuse(c, vks_solve_plan(m, &(vks_solve_options){.precond = VKS_PRECOND_ILUT}, &p),
                VKS_INVALID_ARGUMENT,
                "cg needs a preconditioner that is linear and symmetric; ilut is not symmetric");
    must_refuse(
        c, vks_solve_plan(m, &(vks_solve_options){.method = VKS_METHOD_GMRES, .precond_options = &steps}, &p),
        VKS_INVALID_ARGUMENT, "gmres needs a preconditioner that is linear; inner with cg is not");
    must_refuse(c, vks_solve_plan(m, &(vks_solve_options){.restart = 5}, &p), VKS_INVALID_ARGUMENT,
                "without a method");
}
