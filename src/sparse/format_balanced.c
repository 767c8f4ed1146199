/* Balanced CSR as a format: the rows by length beside CSR. */
#include "primitive/verbs.h"
#include "sparse/balanced.h"
#include "sparse/slices.h"

#include <stdlib.h>

/* What A->stored is. */
struct kept {
    struct balanced balanced;
    struct memory order, range;
};

static u32s words_of(const struct memory *m)
{
    return (u32s)(uintptr_t)m->address;
}

/* The ranges, and how many rows there are of each class. */
static vks_status make_ranges(const vks_matrix *A, struct kept *k)
{
    struct device *d = A->context->device;
    struct memory above;
    struct rec r;
    rec_create(&r, d, PRECISION_F32);
    vks_status s = device_allocate(d, MEMORY_DEVICE, sizeof k->balanced.above, "rows of each class", &above);
    fill_words(&r, words_of(&above), 0, 0, BALANCED_CLASSES, 1);
    balanced_ranges(&r, &A->csr, &k->balanced, words_of(&above));
    if (!s)
        s = rec_run(&r);
    if (!s)
        s = device_read(d, &above, 0, k->balanced.above, sizeof k->balanced.above);
    rec_destroy(&r);
    device_release(d, &above);
    return s;
}

static vks_status create(vks_matrix *A)
{
    struct kept *k = A->stored = calloc(1, sizeof *k);
    if (!k)
        return fail_memory(&A->context->message, "rows by length", sizeof *k);
    vks_status s = rows_by_length(A, VKS_LARGEST_INDEX, &k->order);
    if (!s)
        s = device_allocate(A->context->device, MEMORY_DEVICE, 8 * (uint64_t)A->csr.n, "ranges of rows",
                            &k->range);
    k->balanced.order = words_of(&k->order);
    k->balanced.range = words_of(&k->range);
    return s || A->csr.n == 0 ? s : make_ranges(A, k);
}

static void product(struct rec *r, control c, const vks_matrix *A, reals x, reals y)
{
    const struct kept *k = A->stored;
    spmv_balanced(r, c, &A->csr, &k->balanced, x, y);
}

static uint64_t bytes(const vks_matrix *A)
{
    const struct kept *k = A->stored;
    return A->row.bytes + A->col.bytes + A->val.bytes + k->order.bytes + k->range.bytes;
}

static void release(vks_matrix *A)
{
    struct kept *k = A->stored;
    if (!k)
        return;
    device_release(A->context->device, &k->order);
    device_release(A->context->device, &k->range);
    free(k);
}

const struct format_ops format_balanced = {
    .create = create, .long_rows = true, .spmv = product, .bytes = bytes, .release = release};
