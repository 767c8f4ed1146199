/* Balanced CSR as a format: slices of rows sorted by length, and the pieces of long rows, whose list stays
 * with CSR. */
#include "sparse/balanced.h"
#include "sparse/narrow.h"
#include "sparse/slices.h"

#include <stdlib.h>

/* The type of A->stored. */
struct kept {
    struct balanced balanced;
    struct hot_columns hot;
    struct memory order, slice, col, val;
};

/* Counts the rows of each class; their order is known. If one thread per lane keeps the device busy, all rows
 * are in the last class, because larger teams, which pass products on, are slower. */
static vks_status count_classes(const vks_matrix *A, struct balanced *B)
{
    if (A->csr.entries > BALANCED_FEW)
        return VKS_OK;
    struct device *d = A->context->device;
    struct memory above;
    struct rec r;
    rec_create(&r, d, PRECISION_F32);
    vks_status s = device_allocate(d, MEMORY_DEVICE, sizeof B->above, "rows of each class", &above);
    fill_words(&r, words_of(&above), 0, 0, BALANCED_CLASSES - 1, 1);
    balanced_above(&r, &A->csr, B, words_of(&above));
    IF_OK(s, rec_leave(&r));
    IF_OK(s, device_read(d, &above, 0, B->above, sizeof B->above));
    rec_destroy(&r);
    device_release(d, &above);
    return s;
}

/* Computes the slice offsets. */
static vks_status place_slices(const vks_matrix *A, struct kept *k)
{
    struct device *d = A->context->device;
    struct balanced *B = &k->balanced;
    uint64_t slices = balanced_slices(B, A->csr.n, A->csr.lanes);
    if (slices > VKS_LARGEST_INDEX)
        return fail(&A->context->message, VKS_LIMIT, "balanced CSR would have %llu slices; the most is %u",
                    (unsigned long long)slices, VKS_LARGEST_INDEX);
    B->slices = (uint32_t)slices;
    vks_status s = device_allocate(d, MEMORY_DEVICE, 4 * (slices + 1), "slice offsets", &k->slice);
    B->slice = words_of(&k->slice);
    struct rec r = rec_once(d, PRECISION_F32);
    balanced_sizes(&r, &A->csr, B, B->slice);
    s = rec_leave_once(&r, s);
    return s ? s : offsets_from_counts(d, B->slice, B->slices, "balanced CSR", &B->padded);
}

/* Computes the order of the rows and the slices. */
static vks_status make_slices(const vks_matrix *A, struct kept *k)
{
    TRY(rows_by_length(A, VKS_LARGEST_INDEX, &k->order));
    k->balanced.order = words_of(&k->order);
    TRY(count_classes(A, &k->balanced));
    return place_slices(A, k);
}

/* Entries of long rows follow the others. */
static uint64_t stored_entries(const vks_matrix *A, const struct kept *k)
{
    return k->balanced.padded + (uint64_t)(A->csr.entries - short_entries(&A->csr));
}

static vks_status balanced_values_room(vks_matrix *A)
{
    struct kept *k = A->stored;
    vks_status s = values_room(A, stored_entries(A, k), "values in slices", &k->val);
    k->balanced.val = (values)(uintptr_t)k->val.address;
    return s;
}

/* Allocates the entries. */
static vks_status make_room(vks_matrix *A, struct kept *k)
{
    struct device *d = A->context->device;
    uint64_t entries = stored_entries(A, k);
    if (entries > VKS_LARGEST_INDEX)
        return fail(&A->context->message, VKS_LIMIT, "balanced CSR would store %llu entries; the most is %u",
                    (unsigned long long)entries, VKS_LARGEST_INDEX);
    TRY(device_allocate(d, MEMORY_DEVICE, 4 * entries, "columns in slices", &k->col));
    k->balanced.col = words_of(&k->col);
    return balanced_values_room(A);
}

static vks_status create(vks_matrix *A)
{
    struct kept *k = A->stored = calloc(1, sizeof *k);
    if (!k)
        return fail_memory(&A->context->message, "rows by length", sizeof *k);
    TRY(make_slices(A, k));
    TRY(make_room(A, k));
    TRY(hot_columns_find(A, &k->hot));
    return format_refresh(A);
}

/* Copies the entries of long rows to after the slices. */
static void refresh_long_rows(struct rec *r, const vks_matrix *A, const struct kept *k)
{
    struct long_rows w = *A->csr.longs;
    w.col.address = k->col.address + 4 * (uint64_t)k->balanced.padded;
    w.val.address = k->val.address + value_bytes(matrix_precision(A)) * (uint64_t)k->balanced.padded;
    long_copy(r, &A->csr, &w, false);
    if (k->hot.count)
        gather_words(r, words_of(&k->hot.name), words_of(&w.col), words_of(&w.col), w.entries);
}

static void refresh(struct rec *r, const vks_matrix *A)
{
    const struct kept *k = A->stored;
    csr_to_balanced(r, &A->csr, &k->balanced, k->hot.count ? words_of(&k->hot.name) : NULL);
    if (A->csr.longs)
        refresh_long_rows(r, A, k);
}

static void product(struct rec *r, const vks_matrix *A, struct vec x, struct vec y)
{
    const struct kept *k = A->stored;
    spmv_balanced(r, &A->csr, &k->balanced, &k->hot, x, y);
}

static uint64_t bytes(const vks_matrix *A)
{
    const struct kept *k = A->stored;
    return k->order.bytes + k->slice.bytes + k->col.bytes + k->val.bytes + k->hot.name.bytes +
           k->hot.list.bytes + k->hot.x.bytes;
}

static void release(vks_matrix *A)
{
    struct device *d = A->context->device;
    struct kept *k = A->stored;
    if (!k)
        return;
    hot_columns_destroy(d, &k->hot);
    device_release(d, &k->order);
    device_release(d, &k->slice);
    device_release(d, &k->col);
    device_release(d, &k->val);
    free(k);
}

const struct format_ops format_balanced = {.create = create,
                                           .refresh = refresh,
                                           .values_room = balanced_values_room,
                                           .long_rows = true,
                                           .spmv = product,
                                           .bytes = bytes,
                                           .release = release};
