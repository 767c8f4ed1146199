/* COO as a format: the row, column and value of each entry outside long rows. */
#include "primitive/pack_verbs.h"
#include "sparse/coo.h"
#include "sparse/narrow.h"

#include <stdlib.h>

/* The type of A->stored. */
struct kept {
    struct coo coo; /* first: coo_of */
    struct memory row, col, val;
};

vks_status coo_values_room(vks_matrix *A)
{
    struct kept *k = A->stored;
    vks_status s = values_room(A, short_entries(&A->csr), "values of entries", &k->val);
    k->coo.val = (values)(uintptr_t)k->val.address;
    return s;
}

static vks_status allocate(vks_matrix *A, struct kept *k)
{
    struct device *d = A->context->device;
    uint64_t entries = short_entries(&A->csr);
    TRY(device_allocate(d, MEMORY_DEVICE, 4 * entries, "rows of entries", &k->row));
    TRY(device_allocate(d, MEMORY_DEVICE, 4 * entries, "columns of entries", &k->col));
    k->coo = (struct coo){.n = A->csr.n,
                          .cols = A->csr.cols,
                          .entries = short_entries(&A->csr),
                          .lanes = A->csr.lanes,
                          .bits = long_bits(&A->csr),
                          .row = (u32s)(uintptr_t)k->row.address,
                          .col = (u32s)(uintptr_t)k->col.address};
    return coo_values_room(A);
}

/* Fills the arrays; *some = the number of rows with entries. `flag` has room for a word per entry. */
static vks_status fill_in(const vks_matrix *A, const struct coo *B, struct memory *flag, struct memory *total,
                          uint32_t *some)
{
    struct device *d = A->context->device;
    u32s flags = (u32s)(uintptr_t)flag->address;
    uint32_t words[2] = {0};
    struct rec r;
    rec_create(&r, d, values_precision(A));
    csr_to_coo(&r, &A->csr, B->row, NULL, B->col, B->val);
    mark_firsts(&r, B->row, B->row, flags, B->entries);
    total_words(&r, flags, (u32s)(uintptr_t)total->address, B->entries);
    vks_status s = rec_run(&r);
    IF_OK(s, device_read(d, total, 0, words, sizeof words));
    *some = words[0];
    rec_destroy(&r);
    return s;
}

vks_status coo_create(vks_matrix *A)
{
    struct device *d = A->context->device;
    struct memory flag = {0}, total = {0};
    uint32_t some = 0;
    struct kept *k = A->stored = calloc(1, sizeof *k);
    if (!k)
        return fail_memory(&A->context->message, "entries", sizeof *k);
    vks_status s = allocate(A, k);
    IF_OK(s, device_allocate(d, MEMORY_DEVICE, 4 * (uint64_t)k->coo.entries, "flags of entries", &flag));
    IF_OK(s, device_allocate(d, MEMORY_DEVICE, 8, "a sum", &total));
    IF_OK(s, fill_in(A, &k->coo, &flag, &total, &some));
    k->coo.gaps = some + A->long_rows.rows < A->csr.n;
    device_release(d, &flag);
    device_release(d, &total);
    return s;
}

void coo_refresh(struct rec *r, const vks_matrix *A)
{
    csr_to_coo(r, &A->csr, NULL, NULL, NULL, coo_of(A)->val);
}

vks_status coo_back(const vks_matrix *A)
{
    struct rec r = rec_once(A->context->device, values_precision(A));
    coo_to_csr(&r, coo_of(A), &A->csr);
    return rec_run_once(&r, VKS_OK);
}

uint64_t coo_memory(const vks_matrix *A)
{
    const struct kept *k = A->stored;
    return k->row.bytes + k->col.bytes + k->val.bytes;
}

void coo_release(vks_matrix *A)
{
    struct device *d = A->context->device;
    struct kept *k = A->stored;
    if (!k)
        return;
    device_release(d, &k->row);
    device_release(d, &k->col);
    device_release(d, &k->val);
    free(k);
}

static void product(struct rec *r, const vks_matrix *A, struct vec x, struct vec y)
{
    spmv_coo(r, coo_of(A), x, y);
}

const struct format_ops format_coo = {.create = coo_create,
                                      .refresh = coo_refresh,
                                      .values_room = coo_values_room,
                                      .spmv = product,
                                      .to_csr = coo_back,
                                      .bytes = coo_memory,
                                      .release = coo_release};
