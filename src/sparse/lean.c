/* Lean matrices keep their format but no columns and values of CSR. Callers acquire them temporarily. Calls
 * with a const matrix may do so too, because only one thread at a time uses a context. */
#include "sparse/matrix.h"

static void drop(vks_matrix *A)
{
    device_release(A->context->device, &A->col);
    device_release(A->context->device, &A->val);
    A->csr.col = NULL;
    A->csr.val = NULL;
}

vks_status csr_give_up(vks_matrix *A)
{
    if (!A->storage.lean || !A->ops->to_csr)
        return VKS_OK;
    vks_status s = VKS_OK;
    if (A->csr.longs)
        s = long_rows_keep(A->context->device, &A->csr, values_precision(A), &A->long_rows);
    if (s)
        return s;
    drop(A);
    A->lean = true;
    return VKS_OK;
}

static vks_status bring_back_long_rows(const vks_matrix *A)
{
    struct rec r = rec_once(A->context->device, values_precision(A));
    long_copy(&r, &A->csr, &A->long_rows, true);
    return rec_run_once(&r, VKS_OK);
}

vks_status csr_acquire(const vks_matrix *A)
{
    if (!A->csr.row)
        return fail(&A->context->message, VKS_UNSUPPORTED,
                    "the matrix is an operator (vksolve/operator.h), which has no entries");
    if (matrix_in_pairs(A))
        return fail(&A->context->message, VKS_UNSUPPORTED,
                    "%s has no 64-bit floats: there a matrix of them is only for solves",
                    A->context->device->info.name);
    if (!A->lean || own_matrix(A)->held++)
        return VKS_OK;
    TRY(matrix_room(own_matrix(A), A->csr.entries));
    TRY(A->ops->to_csr(A));
    return A->csr.longs ? bring_back_long_rows(A) : VKS_OK;
}

void csr_release(const vks_matrix *A)
{
    if (A->lean && --own_matrix(A)->held == 0)
        drop(own_matrix(A));
}
