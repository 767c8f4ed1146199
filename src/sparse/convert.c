/* Converts a matrix to another format through CSR. */
#include "sparse/matrix.h"

/* *B = A; releases the CSR of A, which is held. The copy runs while the format is made, without a separate
 * wait, unless A is lean: then its CSR is released first. */
static vks_status convert(const vks_matrix *A, const vks_format_options *o, vks_matrix **B)
{
    struct rec r = rec_once(A->context->device, values_precision(A));
    vks_status s = matrix_begin(A->context, A->precision, A->csr.n, A->csr.cols, B);
    if (!s) {
        (*B)->narrow = A->narrow;
        (*B)->lanes = A->lanes;
        s = matrix_room(*B, A->csr.entries);
    }
    if (!s) {
        csr_copy_structure(&r, &A->csr, &(*B)->csr);
        copy(&r, csr_values(&r, &A->csr), csr_values(&r, &(*B)->csr));
        s = rec_leave(&r);
    }
    csr_release(A);
    rec_destroy(&r);
    return matrix_end_as(*B, s, o, B);
}

vks_status vks_matrix_convert_as(uint32_t header, const vks_matrix *A, const vks_format_options *options,
                                 vks_matrix **B)
{
    static const vks_format_options defaults;
    const vks_format_options *o = options ? options : &defaults;
    *B = NULL;
    TRY(context_begin_as(A->context, header));
    TRY(storage_check(&A->context->message, o));
    vks_status s = csr_acquire(A);
    if (!s)
        return convert(A, o, B);
    csr_release(A);
    return s;
}
