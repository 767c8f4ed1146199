/* A matrix in another format, by way of CSR. */
#include "sparse/matrix.h"

static vks_status copy_csr(const struct csr *A, const vks_matrix *B)
{
    struct rec r;
    rec_create(&r, B->context->device, values_precision(B));
    copy_words(&r, A->row, B->csr.row, A->n + 1);
    copy_words(&r, A->col, B->csr.col, A->entries);
    copy(&r, reals_of(&r, A->val), reals_of(&r, B->csr.val), A->entries);
    vks_status s = rec_run(&r);
    rec_destroy(&r);
    return s;
}

vks_status vks_matrix_convert(const vks_matrix *A, const vks_format_options *options, vks_matrix **B)
{
    static const vks_format_options defaults;
    const vks_format_options *o = options ? options : &defaults;
    vks_matrix *new = NULL;
    *B = NULL;
    context_begin(A->context);
    vks_status s = storage_check(A->context, o);
    if (s)
        return s;
    s = csr_hold(A);
    if (!s)
        s = matrix_begin(A->context, A->precision, A->csr.n, A->csr.cols, &new);
    if (!s)
        new->narrow = A->narrow;
    if (!s)
        s = matrix_room(new, A->csr.entries);
    if (!s)
        s = copy_csr(&A->csr, new);
    csr_let_go(A);
    return matrix_end_as(new, s, o, B);
}
