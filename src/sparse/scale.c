/* Scales rows and columns of a matrix by vectors. */
#include "sparse/algebra.h"
#include "sparse/narrow.h"
#include "vector/vector.h"

/* Checks a vector of scales for `count` rows or columns; NULL is valid. */
static vks_status check(const vks_matrix *A, const vks_vector *v, uint32_t count, const char *what)
{
    struct message *m = &A->context->message;
    if (v && v->context != A->context)
        return fail(m, VKS_INVALID_ARGUMENT, "the matrix and %s belong to different contexts", what);
    if (v && v->precision != vector_precision(A->precision))
        return fail(m, VKS_INVALID_ARGUMENT, "the matrix and %s differ in precision", what);
    if (v && v->n != count)
        return fail(m, VKS_INVALID_ARGUMENT, "diag(left) A diag(right): A is %u x %u, %s has %u elements",
                    A->csr.n, A->csr.cols, what, v->n);
    return VKS_OK;
}

vks_status vks_matrix_scale(vks_matrix *A, const vks_vector *left, const vks_vector *right)
{
    context_begin(A->context);
    vks_status s = check(A, left, A->csr.n, "left");
    IF_OK(s, check(A, right, A->csr.cols, "right"));
    if (s || (!left && !right))
        return s;
    s = csr_acquire_wide(A);
    struct rec r = rec_once(A->context->device, precision_of(A->precision));
    csr_scale(&r, &A->csr, left ? vector_address(left) : NULL, right ? vector_address(right) : NULL);
    s = rec_run_once(&r, s);
    return values_end(A, s);
}
