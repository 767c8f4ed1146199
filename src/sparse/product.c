/* The products with a vector. */
#include "device/call.h"
#include "sparse/matrix.h"
#include "vector/vector.h"

/* Of A, or of its transpose, which `what` says. */
static vks_status check_product(const vks_matrix *A, bool transposed, const vks_vector *x,
                                const vks_vector *y)
{
    struct message *m = context_begin(A->context);
    const char *what = transposed ? "y = A^T x" : "y = A x";
    if (x->context != A->context || y->context != A->context)
        return fail(m, VKS_INVALID_ARGUMENT, "the matrix and the vectors belong to different contexts");
    vks_precision p = vector_precision(A->precision);
    if (x->precision != p || y->precision != p)
        return fail(m, VKS_INVALID_ARGUMENT, "the matrix and the vectors differ in precision");
    if (x->n != (transposed ? A->csr.n : A->csr.cols) || y->n != (transposed ? A->csr.cols : A->csr.n))
        return fail(m, VKS_INVALID_ARGUMENT, "%s: A is %u x %u, x has %u elements and y has %u", what,
                    A->csr.n, A->csr.cols, x->n, y->n);
    if (x == y)
        return fail(m, VKS_INVALID_ARGUMENT, "%s: x and y are the same vector", what);
    return VKS_OK;
}

static vks_status multiply(const vks_matrix *A, const vks_vector *x, vks_vector *y)
{
    struct call *c = call_begin(A->context, matrix_precision(A));
    spmv(&c->rec, A, vec_of(x), vec_of(y));
    return call_end(c);
}

vks_status vks_spmv(const vks_matrix *A, const vks_vector *x, vks_vector *y)
{
    vks_status s = check_product(A, false, x, y);
    return s ? s : multiply(A, x, y);
}

static vks_status make_transposed(vks_matrix *A)
{
    struct transposed *t = &A->transposed;
    vks_status s = transposed_create(A, true, t);
    s = matrix_end(t->T, s, VKS_FORMAT_CSR, &t->T);
    if (s)
        transposed_release(t, A->context->device);
    A->transposed_is_stale = false;
    return s;
}

static vks_status refresh_transposed(vks_matrix *A)
{
    struct rec r;
    rec_create(&r, A->context->device, values_precision(A));
    vks_status s = csr_hold(A);
    if (!s) {
        transposed_refresh(&r, A, &A->transposed);
        s = rec_run(&r);
    }
    csr_let_go(A);
    rec_destroy(&r);
    if (!s)
        s = format_refresh(A->transposed.T);
    A->transposed_is_stale = s != VKS_OK;
    return s;
}

vks_status matrix_transposed(const vks_matrix *A)
{
    if (!A->transposed.T)
        return make_transposed(own_matrix(A));
    return A->transposed_is_stale ? refresh_transposed(own_matrix(A)) : VKS_OK;
}

vks_status vks_spmv_transpose(const vks_matrix *A, const vks_vector *x, vks_vector *y)
{
    vks_status s = check_product(A, true, x, y);
    if (!s)
        s = matrix_transposed(A);
    return s ? s : multiply(A->transposed.T, x, y);
}
