/* Sums of two matrices. Each entry of B looks up its column in the row of A. Prefix sums over the missing
 * entries place every entry in the sum. So the work is divided by entries, even in a long row. */
#include "sparse/algebra.h"
#include "sparse/narrow.h"
#include "vector/vector.h"

static vks_status check(const vks_matrix *A, const vks_matrix *B, vks_format format)
{
    struct message *m = context_begin(A->context);
    if (A->context != B->context)
        return fail(m, VKS_INVALID_ARGUMENT, "the matrices belong to different contexts");
    if (vector_precision(A->precision) != vector_precision(B->precision))
        return fail(m, VKS_INVALID_ARGUMENT, "the matrices differ in precision");
    if (A->csr.n != B->csr.n || A->csr.cols != B->csr.cols)
        return fail(m, VKS_INVALID_ARGUMENT, "alpha A + beta B: A is %u x %u and B is %u x %u", A->csr.n,
                    A->csr.cols, B->csr.n, B->csr.cols);
    return format_check(&A->context->message, format);
}

/* before[e] = the number of entries of B before e that are not in A; *missing: the total. */
static vks_status find_missing(const vks_matrix *A, const vks_matrix *B, struct memory *before,
                               uint32_t *missing)
{
    struct device *d = A->context->device;
    struct rec r = rec_once(d, PRECISION_F32);
    vks_status s =
        device_allocate(d, MEMORY_DEVICE, 4 * ((uint64_t)B->csr.entries + 1), "places of entries", before);
    csr_add_flags(&r, &A->csr, &B->csr, words_of(before));
    s = rec_run_once(&r, s);
    return s ? s : offsets_from_counts(d, words_of(before), B->csr.entries, "alpha A + beta B", missing);
}

/* *entries = the number of entries of the sum. */
static vks_status count(const vks_matrix *A, uint32_t missing, uint32_t *entries)
{
    uint64_t all = A->csr.entries + (uint64_t)missing;
    *entries = (uint32_t)all;
    if (all > VKS_LARGEST_INDEX)
        return fail(&A->context->message, VKS_LIMIT,
                    "alpha A + beta B would have %llu entries; the most is %u", (unsigned long long)all,
                    VKS_LARGEST_INDEX);
    return VKS_OK;
}

static vks_status fill_in(const double factor[2], const vks_matrix *A, const vks_matrix *B,
                          const struct memory *before, vks_matrix *C)
{
    struct device *d = A->context->device;
    struct memory factors;
    struct rec r = rec_once(d, precision_of(A->precision));
    vks_status s = device_allocate(d, MEMORY_DEVICE, 16, "alpha and beta", &factors);
    IF_OK(s, upload_values(d, &factors, vector_precision(A->precision), 0, 2, VKS_F64, factor));
    csr_add(&r, (reals)(uintptr_t)factors.address, &A->csr, &B->csr, words_of(before), &C->csr);
    s = rec_run_once(&r, s);
    device_release(d, &factors);
    return s;
}

vks_status vks_matrix_add(double alpha, const vks_matrix *A, double beta, const vks_matrix *B,
                          vks_format format, vks_matrix **C)
{
    *C = NULL;
    TRY(check(A, B, format));
    struct memory before = {0};
    vks_matrix *sum = NULL;
    uint32_t missing = 0, entries = 0;
    vks_status s = csr_acquire_wide_two(A, B);
    IF_OK(s, find_missing(A, B, &before, &missing));
    IF_OK(s, count(A, missing, &entries));
    IF_OK(s, matrix_begin(A->context, joint_precision(A, B), A->csr.n, A->csr.cols, &sum));
    IF_OK(s, matrix_room(sum, entries));
    IF_OK(s, fill_in((const double[]){alpha, beta}, A, B, &before, sum));
    csr_release_wide_two(A, B);
    device_release(A->context->device, &before);
    return matrix_end(sum, s, format, C);
}
