/* Balanced CSR as a format: slices of rows by length beside CSR, whose long rows it needs. */
#include "primitive/pack_verbs.h"
#include "sparse/balanced.h"
#include "sparse/slices.h"

#include <stdlib.h>

/* What A->stored is. */
struct kept {
    struct balanced balanced; /* first: balanced_of */
    struct memory order, slice, col, val;
};

static const struct balanced *balanced_of(const vks_matrix *A)
{
    return A->stored;
}

static u32s words_of(const struct memory *m)
{
    return (u32s)(uintptr_t)m->address;
}

/* The order of the rows, and where slices begin. */
static vks_status make_slices(const vks_matrix *A, struct kept *k)
{
    struct device *d = A->context->device;
    struct balanced *B = &k->balanced;
    struct rec r;
    B->slices = balanced_slices(A->csr.n, A->csr.lanes);
    vks_status s = rows_by_length(A, VKS_LARGEST_INDEX, &k->order);
    if (!s)
        s = device_allocate(d, MEMORY_DEVICE, 4 * ((uint64_t)B->slices + 1), "slice offsets", &k->slice);
    B->order = words_of(&k->order);
    B->slice = words_of(&k->slice);
    if (s)
        return s;
    rec_create(&r, d, PRECISION_F32);
    balanced_sizes(&r, &A->csr, B, B->slice);
    s = rec_run(&r);
    rec_destroy(&r);
    return s ? s : offsets_from_counts(d, B->slice, B->slices, "balanced CSR", &B->padded);
}

static vks_status make_room(const vks_matrix *A, struct kept *k)
{
    struct device *d = A->context->device;
    uint64_t padded = k->balanced.padded;
    vks_status s = device_allocate(d, MEMORY_DEVICE, 4 * padded, "columns in slices", &k->col);
    if (!s)
        s = device_allocate(d, MEMORY_DEVICE, padded * real_bytes(precision_of(A->precision)),
                            "values in slices", &k->val);
    k->balanced.col = words_of(&k->col);
    k->balanced.val = (reals)(uintptr_t)k->val.address;
    return s;
}

static vks_status create(vks_matrix *A)
{
    struct kept *k = A->stored = calloc(1, sizeof *k);
    if (!k)
        return fail_memory(&A->context->message, "rows by length", sizeof *k);
    vks_status s = make_slices(A, k);
    if (!s)
        s = make_room(A, k);
    return s ? s : format_refresh(A);
}

static void refresh(struct rec *r, const vks_matrix *A)
{
    csr_to_balanced(r, &A->csr, balanced_of(A));
}

static void product(struct rec *r, control c, const vks_matrix *A, reals x, reals y)
{
    spmv_balanced(r, c, &A->csr, balanced_of(A), x, y);
}

static uint64_t bytes(const vks_matrix *A)
{
    const struct kept *k = A->stored;
    uint64_t longs = A->csr.entries - short_entries(&A->csr);
    return k->order.bytes + k->slice.bytes + k->col.bytes + k->val.bytes +
           longs * (4 + real_bytes(precision_of(A->precision)));
}

static void release(vks_matrix *A)
{
    struct device *d = A->context->device;
    struct kept *k = A->stored;
    if (!k)
        return;
    device_release(d, &k->order);
    device_release(d, &k->slice);
    device_release(d, &k->col);
    device_release(d, &k->val);
    free(k);
}

const struct format_ops format_balanced = {.create = create,
                                           .refresh = refresh,
                                           .long_rows = true,
                                           .spmv = product,
                                           .bytes = bytes,
                                           .release = release};
