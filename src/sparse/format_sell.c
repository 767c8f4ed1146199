/* SELL as a format: slices from the lengths of the rows, compact columns where they reach. */
#include "primitive/pack_verbs.h"
#include "primitive/scan_verbs.h"
#include "sparse/slices.h"

#include <stdlib.h>

static u32s words_of(const struct memory *m)
{
    return (u32s)(uintptr_t)m->address;
}

/* What is known of slices before they are made. */
struct measure {
    uint64_t padded;
    uint32_t fours;
};

/* The sizes of the slices, into k->slice, and with `scan` where they begin instead. */
static vks_status measure_slices(const vks_matrix *A, const struct sliced *k, bool scan, struct measure *out)
{
    struct device *d = A->context->device;
    uint32_t slices = sell_slices(A->csr.n, A->storage.slice_height), words[4] = {0};
    u32s slice = words_of(&k->slice);
    struct memory total;
    struct scan_space w = {0};
    struct rec r;
    rec_create(&r, d, PRECISION_F32);
    vks_status s = device_allocate(d, MEMORY_DEVICE, sizeof words, "sums of slices", &total);
    u32s totals = (u32s)(uintptr_t)(total.address + 8);
    if (!s && scan)
        s = scan_space_create(d, slices + 1, 4, false, &w);
    fill_words(&r, totals, 0, 0, 2, 1);
    sell_widths(&r, &A->csr, A->storage.slice_height, words_of(&k->order), slice, totals);
    total_words(&r, slice, words_of(&total), slices);
    if (scan)
        scan_u32(&r, &w, slice, slice, false, true);
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

/* The order of the rows and the slices. */
static vks_status make_slices(const vks_matrix *A, struct sliced *k, bool scan, struct measure *out)
{
    uint64_t bytes = 4 * ((uint64_t)sell_slices(A->csr.n, A->storage.slice_height) + 1);
    vks_status s = device_allocate(A->context->device, MEMORY_DEVICE, bytes, "slice offsets", &k->slice);
    if (!s)
        s = sell_sort(A, &k->order);
    return s ? s : measure_slices(A, k, scan, out);
}

vks_status sell_padded(const vks_matrix *A, uint64_t *padded)
{
    struct sliced k = {0};
    struct measure m = {0};
    vks_status s = make_slices(A, &k, false, &m);
    device_release(A->context->device, &k.slice);
    device_release(A->context->device, &k.order);
    *padded = m.padded;
    return s;
}

/* Compact columns are larger where slices have few entries in a row. (Where they are smaller, their words
 * number fewer than the entries: 32 bits reach.) */
static bool compact_is_smaller(const struct sell *A)
{
    return sell_column_bytes(A, true) + sell_base_bytes(A) < sell_column_bytes(A, false);
}

/* The bases of compact columns, which are given up where they do not reach. */
static vks_status make_bases(const vks_matrix *A, struct sliced *k)
{
    struct device *d = A->context->device;
    if (!compact_is_smaller(&k->sell))
        return VKS_OK;
    uint32_t most = 0;
    struct memory m = {0};
    struct rec r;
    rec_create(&r, d, precision_of(A->precision));
    vks_status s =
        device_allocate(d, MEMORY_DEVICE, sell_base_bytes(&k->sell), "columns of slices", &k->base);
    if (!s)
        s = device_allocate(d, MEMORY_DEVICE, sizeof most, "a column", &m);
    if (!s)
        s = device_write(d, &m, 0, &most, sizeof most);
    k->sell.base = words_of(&k->base);
    sell_bases(&r, &A->csr, &k->sell, words_of(&m));
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

static vks_status create(vks_matrix *A)
{
    struct measure m = {0};
    struct sliced *k = A->stored = calloc(1, sizeof *k);
    if (!k)
        return fail_memory(&A->context->message, "slices", sizeof *k);
    vks_status s = make_slices(A, k, true, &m);
    if (!s)
        s = sliced_check(A, "SELL", m.padded);
    if (s)
        return s;
    k->sell = (struct sell){.n = A->csr.n,
                            .cols = A->csr.cols,
                            .lanes = A->csr.lanes,
                            .bits = long_bits(&A->csr),
                            .height = A->storage.slice_height,
                            .padded = (uint32_t)m.padded,
                            .fours = m.fours,
                            .slice = words_of(&k->slice),
                            .order = words_of(&k->order)};
    s = make_bases(A, k);
    return s ? s : sliced_fill(A, k);
}

const struct format_ops format_sell = {.create = create,
                                       .refresh = sliced_refresh,
                                       .values_room = sliced_values_room,
                                       .spmv = sliced_product,
                                       .spmv_dot = sliced_product_and_dot,
                                       .to_csr = sliced_to_csr,
                                       .bytes = sliced_bytes,
                                       .release = sliced_release};
