/* SELL as a format: slices from the lengths of the rows, compact columns where they reach. */
#include "sparse/slices.h"
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
                            .fours = A->known->word[SLICES_FOURS],
                            .slice = words_of(&k->slice),
                            .order = words_of(&k->order)};
    if (sell_is_compact(&k->sell, A->known))
        s = device_allocate(A->context->device, MEMORY_DEVICE, sell_base_bytes(&k->sell), "columns of slices",
                            &k->base);
    k->sell.base = words_of(&k->base);
    return s ? s : sliced_fill(A, k);
}

const struct format_ops format_sell = {.wants = KNOW_SLICES,
                                       .create = create,
                                       .refresh = sliced_refresh,
                                       .values_room = sliced_values_room,
                                       .spmv = sliced_product,
                                       .spmv_dot = sliced_product_and_dot,
                                       .to_csr = sliced_to_csr,
                                       .bytes = sliced_bytes,
                                       .release = sliced_release};
