/* Public calls for products of sparse matrices. */
#include "vksolve/multiply.h"
#include "abi/abi.h"
#include "sparse/algebra.h"
#include "sparse/narrow.h"
#include "sparse/spgemm.h"

static vks_status check_operands(const vks_matrix *A, const vks_matrix *B, const char *name_a,
                                 const char *name_b)
{
    struct message *m = &A->context->message;
    if (B->context != A->context)
        return fail(m, VKS_INVALID_ARGUMENT, "%s and %s belong to different contexts", name_a, name_b);
    if (vector_precision(B->precision) != vector_precision(A->precision))
        return fail(m, VKS_INVALID_ARGUMENT, "%s and %s differ in precision", name_a, name_b);
    if (A->csr.cols != B->csr.n)
        return fail(m, VKS_INVALID_ARGUMENT, "%s %s: %s is %u x %u and %s %u x %u", name_a, name_b, name_a,
                    A->csr.n, A->csr.cols, name_b, B->csr.n, B->csr.cols);
    return VKS_OK;
}

static vks_status check_options(vks_context *context, const vks_multiply_options *o)
{
    if (o->drop)
        TRY(drop_check(context, o->drop_below));
    return format_check(&context->message, o->format);
}

/* C = A B; the dimensions match. */
static vks_status multiply(const vks_matrix *A, const vks_matrix *B, const vks_multiply_options *o,
                           vks_matrix **C)
{
    vks_matrix *all = NULL;
    vks_status s = csr_acquire_wide_two(A, B);
    IF_OK(s, spgemm(A, B, &spgemm_defaults, &all));
    csr_release_wide_two(A, B);
    s = matrix_end(all, s, o->drop ? VKS_FORMAT_CSR : o->format, C);
    if (s || !o->drop)
        return s;
    all = *C;
    s = matrix_drop(all, o->drop_below, o->format, C);
    vks_matrix_destroy(all);
    return s;
}

vks_status vks_matrix_multiply_as(uint32_t header, const vks_matrix *A, const vks_matrix *B,
                                  const vks_multiply_options *options, vks_matrix **C)
{
    const vks_multiply_options o = vks_multiply_options_in(header, options);
    *C = NULL;
    TRY(context_begin_as(A->context, header));
    TRY(check_operands(A, B, "A", "B"));
    TRY(check_options(A->context, &o));
    return multiply(A, B, &o, C);
}

/* Makes spgemm's check for software devices, before an update. */
static vks_status check_software(const vks_matrix *A, const vks_matrix *B)
{
    struct device *d = A->context->device;
    struct memory bound = {0}, entries = {0};
    if (d->info.kind != DEVICE_SOFTWARE)
        return VKS_OK;
    struct rec r = rec_once(d, precision_of(A->precision));
    uint64_t bytes = 4 * (uint64_t)A->csr.n;
    vks_status s = device_allocate(d, MEMORY_DEVICE, bytes, "numbers of products", &bound);
    IF_OK(s, device_allocate(d, MEMORY_DEVICE, bytes, "numbers of entries", &entries));
    spgemm_bound(&r, &A->csr, &B->csr, words_in(&bound, 0), words_in(&entries, 0));
    s = rec_run_once(&r, s);
    IF_OK(s, spgemm_check_software(d, &A->csr, &A->row, &bound, SPGEMM_MOST_TURNS));
    device_release(d, &bound);
    device_release(d, &entries);
    return s;
}

static vks_status check_again(const vks_matrix *A, const vks_matrix *B, const vks_matrix *C)
{
    struct message *m = context_begin(A->context);
    TRY(check_operands(A, B, "A", "B"));
    if (C->context != A->context || vector_precision(C->precision) != vector_precision(A->precision))
        return fail(m, VKS_INVALID_ARGUMENT, "C has another context or precision than A and B");
    if (C->csr.n != A->csr.n || C->csr.cols != B->csr.cols)
        return fail(m, VKS_INVALID_ARGUMENT, "A B is %u x %u, and C %u x %u", A->csr.n, B->csr.cols, C->csr.n,
                    C->csr.cols);
    if (C == A || C == B)
        return fail(m, VKS_INVALID_ARGUMENT, "C is A or B itself");
    return VKS_OK;
}

vks_status vks_matrix_multiply_again(const vks_matrix *A, const vks_matrix *B, vks_matrix *C)
{
    uint32_t missing;
    TRY(check_again(A, B, C));
    vks_status s = csr_acquire_wide_two(A, B);
    vks_status held = csr_acquire_wide(C);
    IF_OK(s, held);
    IF_OK(s, check_software(A, B));
    IF_OK(s, spgemm_values(&A->csr, &B->csr, C, &missing));
    if (!s && missing != UINT32_MAX)
        s = fail(&A->context->message, VKS_INVALID_ARGUMENT, "row %u of A B has an entry that C lacks",
                 missing);
    s = values_end(C, s);
    csr_release_wide_two(A, B);
    return s;
}

vks_status vks_matrix_triple_product_as(uint32_t header, const vks_matrix *R, const vks_matrix *A,
                                        const vks_matrix *P, const vks_multiply_options *options,
                                        vks_matrix **C)
{
    const vks_multiply_options o = vks_multiply_options_in(header, options);
    vks_matrix *AP = NULL;
    *C = NULL;
    vks_status s = context_begin_as(R->context, header);
    IF_OK(s, check_operands(R, A, "R", "A"));
    IF_OK(s, check_operands(A, P, "A", "P"));
    IF_OK(s, check_options(R->context, &o));
    IF_OK(s, multiply(A, P, &(vks_multiply_options){.format = VKS_FORMAT_CSR}, &AP));
    IF_OK(s, multiply(R, AP, &o, C));
    vks_matrix_destroy(AP);
    return s;
}
