/* The list of attempts of VKS_METHOD_AUTO, and what applies to a matrix. */
#include "abi/now.h"

#include "operator/operator.h"
#include "solvers/chain.h"

static vks_status look(const vks_matrix *A, struct chain_facts *facts)
{
    vks_status status = csr_hold(A);
    if (!status)
        status = chain_look(A, facts);
    if (!status)
        status = chain_look_closer(A, true, facts);
    csr_let_go(A);
    return status;
}

vks_status vks_solve_plan_now(const vks_matrix *A, vks_plan *plan)
{
    struct message *m = context_begin(A->context);
    struct chain_facts facts;
    *plan = (vks_plan){0};
    if (operator_of(A))
        return fail(m, VKS_UNSUPPORTED, "a plan needs entries, which an operator does not have");
    vks_status status = look(chain_matrix(A), &facts);
    if (status)
        return status;
    unsigned traits = chain_traits(&facts);
    plan->square = facts.square;
    plan->symmetric = (traits & WHEN_SYMMETRIC) != 0;
    plan->positive = (traits & WHEN_POSITIVE) != 0;
    plan->weak = facts.look.weak;
    plan->structural_rank = facts.look.rank == UINT32_MAX ? 0 : facts.look.rank;
    for (uint32_t k = 0; k < chain_count; k++) {
        const struct chain_row *row = &chain_rows[k];
        vks_plan_row *to = &plan->row[plan->count++];
        *to = (vks_plan_row){.method = row->method,
                             .scaling = row->scaling,
                             .precond = row->precond.kind ? &row->precond : NULL,
                             .products = row->products,
                             .applies = facts.square && !(row->when & ~traits)};
        chain_tell(row->when, to->condition, sizeof to->condition);
    }
    return VKS_OK;
}
