/* A matrix in another format, by way of CSR. */
#include "sparse/matrix.h"

static void copy_structure(struct rec *r, const struct csr *A, const struct csr *B)
{
    copy_words(r, A->row, B->row, A->n + 1);
    copy_words(r, A->col, B->col, A->entries);
}

/* *B = A, whose CSR is held and is let go. The copy is under way while the format is made: nothing waits for
 * it alone, but where A is lean, whose CSR goes first. */
static vks_status convert(const vks_matrix *A, const vks_format_options *o, vks_matrix **B)
{
    uint64_t ticket = 0;
    struct rec r;
    rec_create(&r, A->context->device, values_precision(A));
    vks_status s = matrix_begin(A->context, A->precision, A->csr.n, A->csr.cols, B);
    if (!s) {
        (*B)->narrow = A->narrow;
        s = matrix_room(*B, A->csr.entries);
    }
    if (!s) {
        copy_structure(&r, &A->csr, &(*B)->csr);
        copy(&r, reals_of(&r, A->csr.val), reals_of(&r, (*B)->csr.val), A->csr.entries);
        s = rec_start(&r, &ticket);
    }
    csr_let_go(A);
    s = matrix_end_as(*B, s, o, B);
    if (!s)
        s = rec_finish(&r, ticket);
    rec_destroy(&r);
    if (s) {
        vks_matrix_destroy(*B);
        *B = NULL;
    }
    return s;
}

vks_status vks_matrix_convert(const vks_matrix *A, const vks_format_options *options, vks_matrix **B)
{
    static const vks_format_options defaults;
    const vks_format_options *o = options ? options : &defaults;
    *B = NULL;
    context_begin(A->context);
    vks_status s = storage_check(&A->context->message, o);
    if (s)
        return s;
    s = csr_hold(A);
    if (!s)
        return convert(A, o, B);
    csr_let_go(A);
    return s;
}

/* The values of A, rounded, into the CSR of B, whose structure comes along if it is `new`. */
static vks_status round_values(const vks_matrix *A, const vks_matrix *B, bool new)
{
    static const double one = 1;
    struct device *d = A->context->device;
    struct memory scale = {0};
    struct rec r;
    rec_create(&r, d, PRECISION_F32);
    vks_status s = device_allocate(d, MEMORY_DEVICE, sizeof one, "a scale", &scale);
    if (!s)
        s = device_write(d, &scale, 0, &one, sizeof one);
    if (!s) {
        if (new)
            copy_structure(&r, &A->csr, &B->csr);
        narrow(&r, (doubles)(uintptr_t)scale.address, (doubles)A->csr.val, reals_of(&r, B->csr.val),
               A->csr.entries);
        s = rec_run(&r);
    }
    rec_destroy(&r);
    device_release(d, &scale);
    return s;
}

vks_status matrix_round(const vks_matrix *A, vks_matrix **B)
{
    vks_status s = matrix_begin(A->context, VKS_F32, A->csr.n, A->csr.cols, B);
    if (!s)
        s = matrix_room(*B, A->csr.entries);
    if (!s)
        s = round_values(A, *B, true);
    return matrix_end_as(*B, s, &A->storage, B);
}

vks_status matrix_round_again(const vks_matrix *A, vks_matrix *B)
{
    vks_status s = round_values(A, B, false);
    return s ? s : format_refresh(B);
}
