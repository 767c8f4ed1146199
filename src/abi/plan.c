#include "abi/now.h"

#include "abi/header.h"
#include "abi/structs.h"
#include "sparse/matrix.h"

vks_status vks_solve_plan_2(uint32_t header, const vks_matrix *A, vks_plan *plan)
{
    vks_plan told, *to = vks_plan_room(header, plan, &told);
    if (!A)
        return VKS_INVALID_ARGUMENT;
    if (!plan)
        return fail(context_begin(A->context), VKS_INVALID_ARGUMENT, "plan is NULL");
    vks_status s = header_begin(A->context, header);
    if (s)
        return s;
    s = vks_solve_plan_now(A, to);
    vks_plan_out(header, to, plan);
    return s;
}
