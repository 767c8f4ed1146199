/* SELL as a format: slices from the lengths of the rows, compact columns if the offsets fit. */
#include "sparse/coded.h"
#include "sparse/cost.h"

#include <stdlib.h>

/* Takes the slices and the order of rows from the statistics. */
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

/* Stores codes if they pay, else entries one by one. */
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
    TRY(sliced_check(A, "SELL", slices_padded(A->known)));
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

/* Stores entries one by one, from CSR. */
static vks_status store_entries(vks_matrix *A)
{
    vks_status s = sliced_fill(A, A->stored);
    if (s)
        sliced_drop_entries(A);
    else
        coded_drop(A);
    return s;
}

/* Stores codes of A's present values if A is coded and codes still pay; else entries one by one. */
static vks_status retake(vks_matrix *A, bool *taken)
{
    const struct sliced *to = A->stored;
    *taken = to->sell.coded.code != NULL;
    if (!*taken)
        return VKS_OK;
    struct kinds k;
    uint32_t count = 0;
    bool done = false;
    vks_status s = kinds_create(A->context->device, kinds_limit(&A->csr), &k);
    IF_OK(s, coded_find_kinds(A, &k, &count));
    if (!s && coded_pays(&A->storage, &A->csr, &to->sell, to->compact, values_precision(A), count))
        s = coded_create(A, &k, count, &done);
    kinds_release(A->context->device, &k);
    return s || done ? s : store_entries(A);
}

const struct format_ops format_sell = {.wants = KNOW_SLICES | KNOW_KINDS,
                                       .create = create,
                                       .retake = retake,
                                       .refresh = sliced_refresh,
                                       .values_room = sliced_values_room,
                                       .spmv = sliced_product,
                                       .spmv_dot = sliced_product_and_dot,
                                       .spmv_then = sliced_product_then,
                                       .to_csr = sliced_to_csr,
                                       .bytes = sliced_bytes,
                                       .release = sliced_release};
