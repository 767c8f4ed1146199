#include "solvers/system/f32_copy.h"
#include "operator/operator.h"

bool f32_copy_is_needed(const vks_matrix *A)
{
    return operator_of(A) || A->rounded || !A->narrow;
}

vks_status f32_copy_open(const vks_matrix *A, bool always, vks_matrix **copy, const vks_matrix **found)
{
    *found = A;
    if (operator_of(A) || !(always || f32_copy_is_needed(A)))
        return VKS_OK;
    TRY(A->rounded ? VKS_OK : matrix_round(A, &A->storage, copy));
    *found = A->rounded ? A->rounded : *copy;
    return csr_acquire(*found);
}

vks_status f32_copy_refresh(const vks_matrix *A, vks_matrix *copy)
{
    return copy ? matrix_round_again(A, copy) : VKS_OK;
}

uint64_t f32_copy_bytes(const vks_matrix *copy)
{
    if (!copy)
        return 0;
    uint64_t beside = vks_matrix_format(copy) == VKS_FORMAT_CSR ? 0 : vks_matrix_format_bytes(copy);
    return copy->row.bytes + copy->col.bytes + copy->val.bytes + beside;
}

void f32_copy_close(const vks_matrix *A, vks_matrix **copy, const vks_matrix *found)
{
    if (found && found != A)
        csr_release(found);
    vks_matrix_destroy(*copy);
    *copy = NULL;
}
