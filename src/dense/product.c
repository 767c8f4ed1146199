/* The public products: validate arguments, then run one recording. */
#include "dense/dense.h"
#include "dense/verbs.h"
#include "report/names.h"

static const struct {
    const char *name, *text;
} forms[] = {{"auto", "chosen from the shape"},
#define X(NAME, name, text) {#name, text},
             VKS_GEMV_FORMS(X)
#undef X
};

NAME_OF(vks_gemv_form_name, vks_gemv_form, form, forms, name)
NAME_OF(vks_gemv_form_text, vks_gemv_form, form, forms, text)

/* VKS_GEMV_GROUPS saves the second dispatch: from eight strips on a row keeps all eight subgroup-sized lane
 * groups of a workgroup busy, and some hundreds of rows keep a GPU busy. */
vks_gemv_form vks_gemv_choice(uint32_t rows, uint32_t cols)
{
    uint32_t strips = gemv_strips_of(cols);
    if (gemv_lanes(cols) == 1)
        return VKS_GEMV_ROWS;
    return strips >= 8 && strips <= GEMV_GROUP && rows >= 512 ? VKS_GEMV_GROUPS : VKS_GEMV_STRIPS;
}

static vks_status check_vector(const vks_dense *A, const vks_vector *v, const char *name, uint32_t length)
{
    struct message *m = &A->context->message;
    if (v->context != A->context)
        return fail(m, VKS_INVALID_ARGUMENT, "the matrix and %s belong to different contexts", name);
    if (v->precision != A->precision)
        return fail(m, VKS_INVALID_ARGUMENT, "the matrix and %s differ in precision", name);
    if (v->n != length)
        return fail(m, VKS_INVALID_ARGUMENT, "A is %u x %u, and %s has %u elements", A->rows, A->cols, name,
                    v->n);
    return VKS_OK;
}

vks_status vks_gemv(const vks_dense *A, const vks_vector *x, const vks_vector *b, vks_gemv_form form,
                    vks_vector *y)
{
    struct message *m = context_begin(A->context);
    struct device *d = A->context->device;
    TRY(check_vector(A, x, "x", A->cols));
    TRY(check_vector(A, y, "y", A->rows));
    if (b)
        TRY(check_vector(A, b, "b", A->rows));
    if (x == y || b == y)
        return fail(m, VKS_INVALID_ARGUMENT, "y is the same vector as %s", x == y ? "x" : "b");
    if ((unsigned)form >= VKS_GEMV_COUNT_)
        return fail(m, VKS_INVALID_ARGUMENT, "%d is not a vks_gemv_form", (int)form);
    if (form == VKS_GEMV_AUTO)
        form = vks_gemv_choice(A->rows, A->cols);
    struct memory sums;
    struct rec r = rec_once(d, precision_of(A->precision));
    vks_status s = device_allocate(d, MEMORY_DEVICE, gemv_room(dense_block(A)) * real_bytes(r.precision),
                                   "sums of strips", &sums);
    gemv(&r, form, dense_block(A), vec_of(x), b ? vec_of(b) : (struct vec){0}, vec_of(y),
         (reals)(uintptr_t)sums.address);
    s = rec_run_once(&r, s);
    device_release(d, &sums);
    return s;
}

static vks_status check_product(const vks_dense *A, const vks_dense *B, const vks_dense *C)
{
    struct message *m = context_begin(A->context);
    if (B->context != A->context || C->context != A->context)
        return fail(m, VKS_INVALID_ARGUMENT, "the matrices belong to different contexts");
    if (B->precision != A->precision || C->precision != A->precision)
        return fail(m, VKS_INVALID_ARGUMENT, "the matrices differ in precision");
    if (B->rows != A->cols || C->rows != A->rows || C->cols != B->cols)
        return fail(m, VKS_INVALID_ARGUMENT, "A is %u x %u, B %u x %u and C %u x %u", A->rows, A->cols,
                    B->rows, B->cols, C->rows, C->cols);
    if (C == A || C == B)
        return fail(m, VKS_INVALID_ARGUMENT, "C is the same matrix as %s", C == A ? "A" : "B");
    return VKS_OK;
}

vks_status vks_gemm(const vks_dense *A, const vks_dense *B, vks_dense *C)
{
    TRY(check_product(A, B, C));
    struct rec r = rec_once(A->context->device, precision_of(A->precision));
    gemm(&r, GEMM_SET, dense_block(A), dense_block(B), dense_block(C));
    return rec_run_once(&r, VKS_OK);
}
