#include "abi/now.h"

#include "abi/header.h"
#include "abi/nested.h"
#include "solvers/solve/shared.h"

vks_status vks_precond_create_2(uint32_t header, const vks_matrix *A, const vks_precond_options *options,
                                vks_precond **M)
{
    struct nested_options ours;
    vks_status s = A ? header_begin(A->context, header) : VKS_INVALID_ARGUMENT;
    if (!s && !M)
        s = fail(&A->context->message, VKS_INVALID_ARGUMENT, "M is NULL");
    if (M)
        *M = NULL;
    return s ? s : vks_precond_create_now(A, nested_options_in(header, options, &ours), M);
}

vks_status vks_precond_report_2(uint32_t header, const vks_precond *M, vks_precond_facts *facts)
{
    vks_precond_facts told, *to = vks_precond_facts_room(header, facts, &told);
    if (!M)
        return VKS_INVALID_ARGUMENT;
    if (!facts)
        return fail(context_begin(M->context), VKS_INVALID_ARGUMENT, "facts is NULL");
    vks_status s = header_begin(M->context, header);
    if (s)
        return s;
    s = vks_precond_report_now(M, to);
    vks_precond_facts_out(header, to, facts);
    return s;
}
