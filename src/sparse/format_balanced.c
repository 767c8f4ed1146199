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

/* How many rows there are of each class, whose order is known. */
static vks_status count_classes(const vks_matrix *A, struct balanced *B)
{
    struct device *d = A->context->device;
    struct memory above;
    struct rec r;
    rec_create(&r, d, PRECISION_F32);
    vks_status s = device_allocate(d, MEMORY_DEVICE, sizeof B->above, "rows of each class", &above);
    fill_words(&r, words_of(&above), 0, 0, BALANCED_CLASSES - 1, 1);
    balanced_above(&r, &A->csr, B, words_of(&above));
    if (!s)
        s = rec_run(&r);
    if (!s)
        s = device_read(d, &above, 0, B->above, sizeof B->above);
    rec_destroy(&r);
    device_release(d, &above);
    return s;
}

/* Where slices begin. */
static vks_status place_slices(const vks_matrix *A, struct kept *k)
{
    struct device *d = A->context->device;
    struct balanced *B = &k->balanced;
    struct rec r;
    uint64_t slices = balanced_slices(B, A->csr.n, A->csr.lanes);
    if (slices > VKS_LARGEST_INDEX)
        return fail(&A->context->message, VKS_LIMIT, "balanced CSR would have %llu slices; the most is %u",
                    (unsigned long long)slices, VKS_LARGEST_INDEX);
    B->slices = (uint32_t)slices;
    vks_status s = device_allocate(d, MEMORY_DEVICE, 4 * (slices + 1), "slice offsets", &k->slice);
    B->slice = words_of(&k->slice);
    rec_create(&r, d, PRECISION_F32);
    balanced_sizes(&r, &A->csr, B, B->slice);
    if (!s)
        s = rec_run(&r);
    rec_destroy(&r);
    return s ? s : offsets_from_counts(d, B->slice, B->slices, "balanced CSR", &B->padded);
}

/* The order of the rows, and the slices. */
static vks_status make_slices(const vks_matrix *A, struct kept *k)
{
    vks_status s = rows_by_length(A, VKS_LARGEST_INDEX, &k->order);
    k->balanced.order = words_of(&k->order);
    if (!s)
        s = count_classes(A, &k->balanced);
    return s ? s : place_slices(A, k);
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
