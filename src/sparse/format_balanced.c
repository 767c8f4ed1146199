/* Balanced CSR as a format: a list of blocks beside CSR. */
#include "sparse/balanced.h"

#include <stdlib.h>

/* What A->stored is: the first row of each block. */
static struct memory *first_of(const vks_matrix *A)
{
    return A->stored;
}

static u32s rows_of(const vks_matrix *A)
{
    return (u32s)(uintptr_t)first_of(A)->address;
}

static vks_status create(vks_matrix *A)
{
    struct message *m = &A->context->message;
    if (A->csr.entries + (uint64_t)A->csr.n > VKS_LARGEST_INDEX)
        return fail(m, VKS_LIMIT, "balanced CSR takes %u rows and entries together; these are %llu",
                    VKS_LARGEST_INDEX, (unsigned long long)A->csr.entries + A->csr.n);
    struct memory *first = A->stored = calloc(1, sizeof *first);
    if (!first)
        return fail_memory(m, "blocks of rows", sizeof *first);
    struct rec r;
    rec_create(&r, A->context->device, precision_of(A->precision));
    vks_status s = device_allocate(A->context->device, MEMORY_DEVICE,
                                   4 * ((uint64_t)balanced_count(&A->csr) + 1), "blocks of rows", first);
    balanced_blocks(&r, &A->csr, rows_of(A));
    if (!s)
        s = rec_run(&r);
    rec_destroy(&r);
    return s;
}

static void product(struct rec *r, control c, const vks_matrix *A, reals x, reals y)
{
    spmv_balanced(r, c, &A->csr, rows_of(A), x, y);
}

static uint64_t bytes(const vks_matrix *A)
{
    return A->row.bytes + A->col.bytes + A->val.bytes + first_of(A)->bytes;
}

static void release(vks_matrix *A)
{
    if (A->stored)
        device_release(A->context->device, first_of(A));
    free(A->stored);
}

const struct format_ops format_balanced = {
    .create = create, .spmv = product, .bytes = bytes, .release = release};
