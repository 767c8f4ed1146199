/* SELL as a format: slices from the lengths of the rows, compact columns where they reach. */
#include "sparse/coded.h"
#include "sparse/statistics.h"

#include <stdlib.h>

/* (Where compact columns are smaller, their words number fewer than the entries: 32 bits reach.) */
bool sell_is_compact(const struct sell *A, const struct statistics *known)
{
    return known->word[SLICES_APART] <= SELL_MOST_ABOVE &&
           sell_column_bytes(A, true) + sell_base_bytes(A) < sell_column_bytes(A, false);
}

/* The slices and the order of the rows are what was looked at. */
static void take_over(struct statistics *known, struct sliced *k)
{
    k->slice = known->slice;
    k->order = known->order;
    known->slice = known->order = (struct memory){0};
}

static vks_status refuse_coding(const vks_matrix *A)
{
    return fail(&A->context->message, VKS_LIMIT,
                "entries cannot be codes: that takes slices of 32 rows in their order, fewer than 96 entries "
                "a row, and "
                "%u kinds of them at most",
                kinds_limit(&A->csr));
}

/* Codes where they pay, else entries one by one. */
static vks_status store(vks_matrix *A, struct sliced *k)
{
    uint32_t kinds = A->known->word[ENTRY_KINDS];
    bool done = false;
    vks_status s = VKS_OK;
    if (coded_pays(&A->storage, &A->csr, &k->sell, k->compact, values_precision(A), kinds))
        s = coded_create(A, &A->known->kinds, kinds, &done);
    if (s || done)
        return s;
    return A->storage.coding == VKS_CODED_ALWAYS ? refuse_coding(A) : sliced_fill(A, k);
}

static vks_status create(vks_matrix *A)
{
    struct sliced *k = A->stored = calloc(1, sizeof *k);
    if (!k)
        return fail_memory(&A->context->message, "slices", sizeof *k);
    vks_status s = sliced_check(A, "SELL", slices_padded(A->known));
    if (s)
        return s;
    take_over(A->known, k);
    k->sell = (struct sell){.n = A->csr.n,
                            .cols = A->csr.cols,
                            .lanes = A->csr.lanes,
                            .bits = long_bits(&A->csr),
                            .height = A->storage.slice_height,
                            .padded = (uint32_t)slices_padded(A->known),
                            .widest = A->known->word[SLICES_LONGEST],
                            .fours = A->known->word[SLICES_FOURS],
                            .slice = words_of(&k->slice),
                            .order = words_of(&k->order)};
    k->compact = sell_is_compact(&k->sell, A->known);
    return store(A, k);
}

const struct format_ops format_sell = {.wants = KNOW_SLICES | KNOW_KINDS,
                                       .create = create,
                                       .retake = sliced_retake,
                                       .refresh = sliced_refresh,
                                       .values_room = sliced_values_room,
                                       .spmv = sliced_product,
                                       .spmv_dot = sliced_product_and_dot,
                                       .spmv_then = sliced_product_then,
                                       .to_csr = sliced_to_csr,
                                       .bytes = sliced_bytes,
                                       .release = sliced_release};
