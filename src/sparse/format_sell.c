/* SELL as a format: slices from the lengths of the rows, compact columns where they reach. */
#include "primitive/pack_verbs.h"
#include "primitive/scan_verbs.h"
#include "sparse/matrix.h"
#include "sparse/sell.h"

#include <stdlib.h>

enum { SMALL = 4096 }; /* entries that may be padding in any case */

/* What A->stored is. */
struct kept {
    struct sell sell; /* first: sell_of */
    struct memory slice, base, col, val;
};

static u32s words_of(const struct memory *m)
{
    return (u32s)(uintptr_t)m->address;
}

/* What is known of slices before they are made. */
struct measure {
    uint64_t padded;
    uint32_t fours;
};

/* The sizes of the slices, into `slice`, and with `scan` where they begin instead. */
static vks_status measure_slices(const vks_matrix *A, const struct memory *slice, bool scan,
                                 struct measure *out)
{
    struct device *d = A->context->device;
    uint32_t slices = sell_slices(A->csr.n), words[3] = {0};
    struct memory total;
    struct scan_space w = {0};
    struct rec r;
    rec_create(&r, d, PRECISION_F32);
    vks_status s = device_allocate(d, MEMORY_DEVICE, sizeof words, "sums of slices", &total);
    if (!s && scan)
        s = scan_space_create(d, slices + 1, 4, false, &w);
    fill_words(&r, (u32s)(uintptr_t)(total.address + 8), 0, 0, 1, 1);
    sell_widths(&r, &A->csr, words_of(slice), (u32s)(uintptr_t)(total.address + 8));
    total_words(&r, words_of(slice), words_of(&total), slices);
    if (scan)
        scan_u32(&r, &w, words_of(slice), words_of(slice), false, true);
    if (!s)
        s = rec_run(&r);
    if (!s)
        s = device_read(d, &total, 0, words, sizeof words);
    *out = (struct measure){(uint64_t)words[1] << 32 | words[0], words[2]};
    rec_destroy(&r);
    scan_space_destroy(d, &w);
    device_release(d, &total);
    return s;
}

static vks_status allocate_slices(const vks_matrix *A, struct memory *slice)
{
    uint64_t bytes = 4 * ((uint64_t)sell_slices(A->csr.n) + 1);
    return device_allocate(A->context->device, MEMORY_DEVICE, bytes, "slice offsets", slice);
}

vks_status sell_padded(const vks_matrix *A, uint64_t *padded)
{
    struct memory slice;
    struct measure m = {0};
    vks_status s = allocate_slices(A, &slice);
    if (!s)
        s = measure_slices(A, &slice, false, &m);
    device_release(A->context->device, &slice);
    *padded = m.padded;
    return s;
}

static vks_status check_shape(const vks_matrix *A)
{
    struct message *m = &A->context->message;
    if (A->storage.slice_height != SELL_SLICE || A->storage.sigma != 1)
        return fail(m, VKS_UNSUPPORTED,
                    "SELL has slices of %d rows, not sorted; not of %u within windows of %u", SELL_SLICE,
                    A->storage.slice_height, A->storage.sigma);
    if (A->csr.lanes > SELL_MOST_LANES)
        return fail(m, VKS_LIMIT,
                    "SELL takes rows of up to 95 entries on average; these have %u (CSR takes any)",
                    A->csr.entries / A->csr.n);
    return VKS_OK;
}

static vks_status check_padding(const vks_matrix *A, uint64_t padded)
{
    if (padded > VKS_MAX_ENTRIES || (double)padded > A->storage.padding * short_entries(&A->csr) + SMALL)
        return fail(&A->context->message, VKS_LIMIT,
                    "SELL would store %llu entries for %u; the most is %g times as many (CSR takes any)",
                    (unsigned long long)padded, short_entries(&A->csr), A->storage.padding);
    return VKS_OK;
}

/* Compact columns are larger where slices have few entries in a row. (Where they are smaller, their words
 * number fewer than the entries: 32 bits reach.) */
static bool compact_is_smaller(const struct sell *A)
{
    return sell_column_bytes(A->n, A->padded, true) + sell_base_bytes(A->n, A->padded) <
           sell_column_bytes(A->n, A->padded, false);
}

/* The bases of compact columns, which are given up where they do not reach. */
static vks_status make_bases(const vks_matrix *A, struct kept *k)
{
    struct device *d = A->context->device;
    if (!compact_is_smaller(&k->sell))
        return VKS_OK;
    uint32_t most = 0;
    struct memory m = {0};
    struct rec r;
    rec_create(&r, d, precision_of(A->precision));
    vks_status s = device_allocate(d, MEMORY_DEVICE, sell_base_bytes(A->csr.n, k->sell.padded),
                                   "columns of slices", &k->base);
    if (!s)
        s = device_allocate(d, MEMORY_DEVICE, sizeof most, "a column", &m);
    if (!s)
        s = device_write(d, &m, 0, &most, sizeof most);
    sell_bases(&r, &A->csr, k->sell.slice, words_of(&k->base), words_of(&m));
    if (!s)
        s = rec_run(&r);
    if (!s)
        s = device_read(d, &m, 0, &most, sizeof most);
    rec_destroy(&r);
    device_release(d, &m);
    if (!s && most > SELL_MOST_ABOVE)
        device_release(d, &k->base);
    k->sell.base = words_of(&k->base);
    return s;
}

/* Room for the entries, once the slices and bases are known. */
static vks_status make_room(const vks_matrix *A, struct kept *k)
{
    struct device *d = A->context->device;
    uint64_t padded = k->sell.padded;
    vks_status s =
        device_allocate(d, MEMORY_DEVICE, sell_column_bytes(A->csr.n, padded, k->sell.base != NULL),
                        "columns in slices", &k->col);
    if (!s)
        s = device_allocate(d, MEMORY_DEVICE, real_bytes(precision_of(A->precision)) * padded,
                            "values in slices", &k->val);
    k->sell.col = words_of(&k->col);
    k->sell.val = (reals)(uintptr_t)k->val.address;
    return s;
}

static vks_status create(vks_matrix *A)
{
    struct measure m = {0};
    struct kept *k = A->stored = calloc(1, sizeof *k);
    if (!k)
        return fail_memory(&A->context->message, "slices", sizeof *k);
    vks_status s = check_shape(A);
    if (!s)
        s = allocate_slices(A, &k->slice);
    if (!s)
        s = measure_slices(A, &k->slice, true, &m);
    if (!s)
        s = check_padding(A, m.padded);
    if (s)
        return s;
    k->sell = (struct sell){.n = A->csr.n,
                            .cols = A->csr.cols,
                            .lanes = A->csr.lanes,
                            .padded = (uint32_t)m.padded,
                            .fours = m.fours,
                            .slice = words_of(&k->slice),
                            .bits = long_bits(&A->csr)};
    s = make_bases(A, k);
    if (!s)
        s = make_room(A, k);
    return s ? s : format_refresh(A);
}

static void refresh(struct rec *r, const vks_matrix *A)
{
    csr_to_sell(r, &A->csr, sell_of(A));
}

static vks_status to_csr(const vks_matrix *A)
{
    struct rec r;
    rec_create(&r, A->context->device, precision_of(A->precision));
    sell_to_csr(&r, sell_of(A), &A->csr);
    vks_status s = rec_run(&r);
    rec_destroy(&r);
    return s;
}

static void product(struct rec *r, control c, const vks_matrix *A, reals x, reals y)
{
    spmv_sell(r, c, sell_of(A), x, y);
}

static bool product_and_dot(struct rec *r, control c, const vks_matrix *A, reals x, reals y, sums s)
{
    spmv_sell_dot(r, c, sell_of(A), x, y, s);
    return true;
}

static uint64_t bytes(const vks_matrix *A)
{
    const struct kept *k = A->stored;
    return k->slice.bytes + k->base.bytes + k->col.bytes + k->val.bytes;
}

static void release(vks_matrix *A)
{
    struct device *d = A->context->device;
    struct kept *k = A->stored;
    if (!k)
        return;
    device_release(d, &k->slice);
    device_release(d, &k->base);
    device_release(d, &k->col);
    device_release(d, &k->val);
    free(k);
}

const struct format_ops format_sell = {.create = create,
                                       .refresh = refresh,
                                       .spmv = product,
                                       .spmv_dot = product_and_dot,
                                       .to_csr = to_csr,
                                       .bytes = bytes,
                                       .release = release};
