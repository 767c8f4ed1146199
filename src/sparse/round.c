/* Rounds matrices to f32. */
#include "sparse/narrow.h"
#include "vector/vector.h"

/* Rounds the values of A, in f64 or mixed, into B's. */
static void round_values(struct rec *r, const vks_matrix *A, const struct memory *scale, const vks_matrix *B)
{
    struct vec to = vec_at(reals_of(r, B->csr.val), A->csr.entries, PRECISION_F32);
    if (matrix_in_pairs(A))
        pairs_narrow(r, pairs_of(scale), (pairs)A->csr.val, to);
    else if (A->narrow)
        copy(r, vec_at((reals)A->csr.val, A->csr.entries, PRECISION_F32), to);
    else
        narrow(r, (doubles)(uintptr_t)scale->address,
               vec_at((reals)A->csr.val, A->csr.entries, PRECISION_F64), to);
}

/* Rounds into the CSR of B, and copies the structure if `new`. */
static vks_status round_into(const vks_matrix *A, const vks_matrix *B, bool new)
{
    static const double one = 1;
    struct device *d = A->context->device;
    struct memory scale = {0};
    struct rec r = rec_once(d, PRECISION_F32);
    vks_status s = device_allocate(d, MEMORY_DEVICE, sizeof one, "a scale", &scale);
    IF_OK(s, upload_values(d, &scale, VKS_F64, 0, 1, VKS_F64, &one));
    if (new)
        csr_copy_structure(&r, &A->csr, &B->csr);
    round_values(&r, A, &scale, B);
    s = rec_leave_once(&r, s);
    device_release(d, &scale);
    return s;
}

vks_status matrix_round(const vks_matrix *A, const vks_format_options *o, vks_matrix **B)
{
    vks_status s = matrix_begin(A->context, VKS_F32, A->csr.n, A->csr.cols, B);
    if (!s) {
        (*B)->lanes = A->lanes;
        s = matrix_room(*B, A->csr.entries);
    }
    IF_OK(s, round_into(A, *B, true));
    IF_OK(s, format_set_up(*B, o));
    if (s) {
        vks_matrix_destroy(*B);
        *B = NULL;
    }
    return s;
}

vks_status matrix_round_again(const vks_matrix *A, vks_matrix *B)
{
    vks_status s = csr_acquire(B);
    IF_OK(s, round_into(A, B, false));
    IF_OK(s, format_refresh(B));
    csr_release(B);
    return s;
}
