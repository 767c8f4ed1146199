/* ELL as a format: all rows as wide as the longest. D. R. Kincaid, T. C. Oppe, D. M. Young, "ITPACKV 2D
 * User's Guide" (1989). */
#include "primitive/verbs.h"
#include "sparse/slices.h"

#include <stdlib.h>

/* The entries of the longest row. */
static vks_status find_longest(const vks_matrix *A, uint32_t *longest)
{
    struct device *d = A->context->device;
    uint32_t words[2] = {0};
    struct memory totals = {0};
    struct rec r;
    rec_create(&r, d, PRECISION_F32);
    vks_status s = device_allocate(d, MEMORY_DEVICE, sizeof words, "the length of a row", &totals);
    u32s at = (u32s)(uintptr_t)totals.address;
    fill_words(&r, at, 0, 0, 2, 1);
    sell_widths(&r, &A->csr, SELL_SLICE, NULL, NULL, at);
    if (!s)
        s = rec_run(&r);
    if (!s)
        s = device_read(d, &totals, 0, words, sizeof words);
    *longest = words[1];
    rec_destroy(&r);
    device_release(d, &totals);
    return s;
}

/* The rows, with those that make whole slices of 32 of them: so every entry is aligned as the first. */
static uint32_t rows_to_store(uint32_t n)
{
    return n ? SELL_SLICE * sell_slices(n, SELL_SLICE) : SELL_SLICE;
}

static vks_status create(vks_matrix *A)
{
    uint32_t longest = 0, height = rows_to_store(A->csr.n);
    struct sliced *k = A->stored = calloc(1, sizeof *k);
    if (!k)
        return fail_memory(&A->context->message, "rows of even length", sizeof *k);
    vks_status s = find_longest(A, &longest);
    uint64_t padded = (uint64_t)height * longest;
    if (!s)
        s = sliced_check(A, "ELL", padded);
    if (s)
        return s;
    k->sell = (struct sell){.n = A->csr.n,
                            .cols = A->csr.cols,
                            .lanes = A->csr.lanes,
                            .bits = long_bits(&A->csr),
                            .height = height,
                            .width = longest,
                            .padded = (uint32_t)padded};
    return sliced_fill(A, k);
}

const struct format_ops format_ell = {.create = create,
                                      .refresh = sliced_refresh,
                                      .values_room = sliced_values_room,
                                      .spmv = sliced_product,
                                      .spmv_dot = sliced_product_and_dot,
                                      .to_csr = sliced_to_csr,
                                      .bytes = sliced_bytes,
                                      .release = sliced_release};
