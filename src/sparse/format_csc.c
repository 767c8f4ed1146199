/* CSC as a format: the transpose in CSR. Its ordered product needs room for a product of each entry. */
#include "sparse/csc.h"
#include "sparse/narrow.h"

#include <stdlib.h>

/* The type of A->stored. */
struct kept {
    struct csc csc; /* first: csc_of */
    struct transposed transposed;
    struct memory product;
};

vks_status csc_create(vks_matrix *A)
{
    struct kept *k = A->stored = calloc(1, sizeof *k);
    if (!k)
        return fail_memory(&A->context->message, "columns", sizeof *k);
    TRY(transposed_create(A, false, &k->transposed));
    const struct csr *T = &k->transposed.T->csr;
    k->csc = (struct csc){.n = A->csr.n,
                          .cols = A->csr.cols,
                          .entries = T->entries,
                          .lanes = A->csr.lanes,
                          .bits = long_bits(&A->csr),
                          .start = T->row,
                          .row = T->col,
                          .place = transposed_place(&k->transposed),
                          .val = T->val};
    return VKS_OK;
}

vks_status csc_values_room(vks_matrix *A)
{
    struct kept *k = A->stored;
    vks_matrix *T = k->transposed.T;
    vks_status s = values_room(A, T->csr.entries, "values of columns", &T->val);
    if (!s)
        T->narrow = A->narrow;
    k->csc.val = T->csr.val = (values)(uintptr_t)T->val.address;
    return s;
}

static vks_status create(vks_matrix *A)
{
    TRY(csc_create(A));
    struct kept *k = A->stored;
    uint64_t bytes = real_bytes(precision_of(A->precision)) * (uint64_t)A->csr.entries;
    vks_status s =
        device_allocate(A->context->device, MEMORY_DEVICE, bytes, "products of entries", &k->product);
    k->csc.product = (reals)(uintptr_t)k->product.address;
    return s;
}

void csc_refresh(struct rec *r, const vks_matrix *A)
{
    const struct kept *k = A->stored;
    transposed_refresh(r, A, &k->transposed);
}

vks_status csc_back(const vks_matrix *A)
{
    struct rec r = rec_once(A->context->device, values_precision(A));
    csc_to_csr(&r, csc_of(A), &A->csr);
    return rec_run_once(&r, VKS_OK);
}

uint64_t csc_memory(const vks_matrix *A)
{
    const struct kept *k = A->stored;
    const vks_matrix *T = k->transposed.T;
    return T->row.bytes + T->col.bytes + T->val.bytes + k->transposed.place.bytes + k->product.bytes;
}

void csc_release(vks_matrix *A)
{
    struct device *d = A->context->device;
    struct kept *k = A->stored;
    if (!k)
        return;
    transposed_release(&k->transposed, d);
    device_release(d, &k->product);
    free(k);
}

static void product(struct rec *r, const vks_matrix *A, struct vec x, struct vec y)
{
    spmv_csc(r, csc_of(A), A->csr.row, x, y);
}

const struct format_ops format_csc = {.create = create,
                                      .refresh = csc_refresh,
                                      .values_room = csc_values_room,
                                      .spmv = product,
                                      .to_csr = csc_back,
                                      .bytes = csc_memory,
                                      .release = csc_release};
