/* CSR whose product has two passes: all products of entries, then a pairwise sum of each row. Its error grows
 * with the logarithm of the row length. */
#include "sparse/csr_variants.h"

#include <stdlib.h>

/* The type of A->stored. */
struct kept {
    struct memory product;
};

static vks_status create(vks_matrix *A)
{
    struct kept *k = A->stored = calloc(1, sizeof *k);
    if (!k)
        return fail_memory(&A->context->message, "products", sizeof *k);
    uint64_t bytes = real_bytes(precision_of(A->precision)) * (uint64_t)A->csr.entries;
    return device_allocate(A->context->device, MEMORY_DEVICE, bytes, "products of entries", &k->product);
}

static void product(struct rec *r, const vks_matrix *A, struct vec x, struct vec y)
{
    const struct kept *k = A->stored;
    spmv_csr_two_pass(r, &A->csr, (reals)(uintptr_t)k->product.address, x, y);
}

static uint64_t bytes(const vks_matrix *A)
{
    const struct kept *k = A->stored;
    return format_csr.bytes(A) + k->product.bytes;
}

static void release(vks_matrix *A)
{
    struct kept *k = A->stored;
    if (k)
        device_release(A->context->device, &k->product);
    free(k);
}

const struct format_ops format_csr_two_pass = {
    .create = create, .spmv = product, .bytes = bytes, .own_order = true, .release = release};
