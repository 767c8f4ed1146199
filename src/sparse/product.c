/* The products with a vector. */
#include "device/call.h"
#include "sparse/matrix.h"
#include "vector/vector.h"

/* Checks a product with A, or with its transpose. */
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
    if (x == y || (x->n && y->n && x->memory.address == y->memory.address))
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
    TRY(check_product(A, false, x, y));
    return multiply(A, x, y);
}

vks_status vks_spmv_add(const vks_matrix *A, const vks_vector *x, vks_vector *y)
{
    TRY(check_product(A, false, x, y));
    struct call *c = call_begin(A->context, matrix_precision(A));
    struct product_then t = {.form = PRODUCT_ADD, .x = vec_of(x), .y = vec_of(y)};
    t.spare = t.y;
    if (product_then_is_apart(A))
        t.spare.at = (uintptr_t)call_spare(c, vec_bytes(t.y));
    if (!c->rec.status)
        spmv_then(&c->rec, A, &t);
    return call_end(c);
}

/* The `count` elements of v from `first` on. */
static struct vec range_of(struct vec v, uint32_t first, uint32_t count)
{
    v.at += (uint64_t)first * real_bytes(v.precision);
    v.n = count;
    return v;
}

/* Records a product with rows of A, from CSR. Kernels for long rows compute all long rows, so a matrix with
 * any computes y in a spare vector. */
static void record_rows(struct call *c, const vks_matrix *A, uint32_t first, struct vec x, struct vec y)
{
    struct rec *r = &c->rec;
    struct csr part = A->csr;
    part.n = y.n;
    part.entries = (uint32_t)((uint64_t)part.entries * y.n / A->csr.n); /* approximate: for the bill */
    part.row = words_in(&A->row, first);
    part.longs = NULL;
    enum precision before = rec_precision(r, product_precision(A, x.precision));
    if (A->csr.longs) {
        struct vec all = vecs_at(0, A->csr.n, 1, y.precision);
        all.at = (uintptr_t)call_spare(c, vec_bytes(all));
        struct vec own = range_of(all, first, y.n);
        spmv_long(r, &A->csr, x, all);
        spmv_csr(r, &part, x, own);
        copy(r, own, y);
    } else {
        spmv_csr(r, &part, x, y);
    }
    r->precision = before;
}

vks_status vks_spmv_rows(const vks_matrix *A, uint32_t first, uint32_t count, const vks_vector *x,
                         vks_vector *y)
{
    vks_status s = check_product(A, false, x, y);
    IF_OK(s, context_check_range(A->context, first, count, "the rows of the matrix", A->csr.n));
    if (!s && (!A->csr.row || A->lean))
        return fail(&A->context->message, VKS_UNSUPPORTED, "%s keeps no CSR: its products are of all rows",
                    A->lean ? "a lean matrix" : "an operator (vksolve/operator.h)");
    if (s || !count)
        return s;
    struct call *c = call_begin(A->context, matrix_precision(A));
    record_rows(c, A, first, vec_of(x), range_of(vec_of(y), first, count));
    return call_end(c);
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
    struct rec r = rec_once(A->context->device, values_precision(A));
    vks_status s = csr_acquire(A);
    transposed_refresh(&r, A, &A->transposed);
    s = rec_run_once(&r, s);
    csr_release(A);
    IF_OK(s, format_refresh(A->transposed.T));
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
    TRY(check_product(A, true, x, y));
    TRY(matrix_transposed(A));
    return multiply(A->transposed.T, x, y);
}
