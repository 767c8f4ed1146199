/* Shared by SELL and ELL: entries in slices, products, and conversion back to CSR. */
#include "sparse/slices.h"
#include "sparse/coded.h"
#include "sparse/narrow.h"

#include <stdlib.h>

enum { SMALL = 4096 }; /* this many padding entries are always allowed */

vks_status sliced_check(const vks_matrix *A, const char *name, uint64_t padded)
{
    if (padded > VKS_MAX_ENTRIES || (double)padded > A->storage.padding * short_entries(&A->csr) + SMALL)
        return fail(&A->context->message, VKS_LIMIT,
                    "%s would store %llu entries for %u; the most is %g times as many (CSR takes any)", name,
                    (unsigned long long)padded, short_entries(&A->csr), A->storage.padding);
    return VKS_OK;
}

static vks_status entries_room(vks_matrix *A, struct sliced *k)
{
    vks_status s = values_room(A, k->sell.padded, "values in slices", &k->val);
    k->sell.val = (values)(uintptr_t)k->val.address;
    return s;
}

vks_status sliced_values_room(vks_matrix *A)
{
    struct sliced *k = A->stored;
    return k->sell.coded.code ? VKS_OK : entries_room(A, k);
}

/* Fills the bases of columns, if any, and the entries. */
static vks_status fill_entries(const vks_matrix *A, const struct sell *B)
{
    struct rec r = rec_once(A->context->device, values_precision(A));
    if (B->base)
        sell_bases(&r, &A->csr, B, NULL);
    csr_to_sell(&r, &A->csr, B);
    return rec_leave_once(&r, VKS_OK);
}

vks_status sliced_fill(vks_matrix *A, struct sliced *k)
{
    struct device *d = A->context->device;
    vks_status s = device_allocate(d, MEMORY_DEVICE, sell_column_bytes(&k->sell, k->compact),
                                   "columns in slices", &k->col);
    if (!s && k->compact)
        s = device_allocate(d, MEMORY_DEVICE, sell_base_bytes(&k->sell), "columns of slices", &k->base);
    IF_OK(s, entries_room(A, k));
    k->sell.col = words_of(&k->col);
    k->sell.base = words_of(&k->base);
    return s ? s : fill_entries(A, &k->sell);
}

void sliced_drop_entries(vks_matrix *A)
{
    struct device *d = A->context->device;
    struct sliced *k = A->stored;
    device_release(d, &k->base);
    device_release(d, &k->col);
    device_release(d, &k->val);
    k->sell.base = k->sell.col = NULL;
    k->sell.val = NULL;
}

void sliced_refresh(struct rec *r, const vks_matrix *A)
{
    csr_to_sell(r, &A->csr, sell_of(A));
}

vks_status sliced_to_csr(const vks_matrix *A)
{
    struct rec r = rec_once(A->context->device, values_precision(A));
    if (sell_of(A)->coded.code)
        coded_to_csr(&r, sell_of(A), values_precision(A), &A->csr);
    else
        sell_to_csr(&r, sell_of(A), &A->csr);
    return rec_leave_once(&r, VKS_OK);
}

void sliced_product(struct rec *r, const vks_matrix *A, struct vec x, struct vec y)
{
    const struct sell *B = sell_of(A);
    if (B->coded.code)
        spmv_coded(r, B, x, y);
    else if (B->lanes > SELL_FEW_LANES)
        spmv_slices_wide(r, B, x, y);
    else if (sell_is_plain(B))
        spmv_sell(r, B, x, y);
    else
        spmv_slices(r, B, x, y);
}

/* Fused only for unpermuted rows, as tiles of own . y require, and few lanes: else x and y matter little. */
bool sliced_product_and_dot(struct rec *r, const vks_matrix *A, struct vec x, struct vec own, struct vec y,
                            sums s)
{
    const struct sell *B = sell_of(A);
    if (B->order || B->lanes > SELL_FEW_LANES)
        return false;
    if (B->coded.code)
        spmv_coded_dot(r, B, x, own, y, s);
    else if (sell_is_plain(B))
        spmv_sell_dot(r, B, x, own, y, s);
    else
        spmv_slices_dot(r, B, x, own, y, s);
    return true;
}

void sliced_product_then(struct rec *r, const vks_matrix *A, const struct product_then *t)
{
    const struct sell *B = sell_of(A);
    if (B->coded.code)
        spmv_coded_then(r, B, t);
    else if (sell_is_plain(B))
        spmv_sell_then(r, B, t);
    else
        spmv_slices_then(r, B, t);
}

uint64_t sliced_bytes(const vks_matrix *A)
{
    const struct sliced *k = A->stored;
    return k->slice.bytes + k->base.bytes + k->col.bytes + k->val.bytes + k->order.bytes + k->code.bytes +
           k->table.bytes;
}

void sliced_release(vks_matrix *A)
{
    struct device *d = A->context->device;
    struct sliced *k = A->stored;
    if (!k)
        return;
    sliced_drop_entries(A);
    device_release(d, &k->slice);
    device_release(d, &k->order);
    device_release(d, &k->code);
    device_release(d, &k->table);
    free(k);
}
