/* ELL as a format: all rows are as wide as the longest. D. R. Kincaid, T. C. Oppe, D. M. Young, "ITPACKV 2D
 * User's Guide" (1989). */
#include "sparse/slices.h"
#include "sparse/statistics.h"

#include <stdlib.h>

/* Rows rounded up to a multiple of 32, so that entry k of all rows is aligned like entry 0. */
static uint32_t rows_to_store(uint32_t n)
{
    return n ? SELL_SLICE * sell_slices(n, SELL_SLICE) : SELL_SLICE;
}

static vks_status create(vks_matrix *A)
{
    uint32_t longest = A->known->word[SLICES_LONGEST], height = rows_to_store(A->csr.n);
    struct sliced *k = A->stored = calloc(1, sizeof *k);
    if (!k)
        return fail_memory(&A->context->message, "rows of even length", sizeof *k);
    uint64_t padded = (uint64_t)height * longest;
    TRY(sliced_check(A, "ELL", padded));
    k->sell = (struct sell){.n = A->csr.n,
                            .cols = A->csr.cols,
                            .lanes = A->csr.lanes,
                            .bits = long_bits(&A->csr),
                            .height = height,
                            .width = longest,
                            .padded = (uint32_t)padded};
    return sliced_fill(A, k);
}

const struct format_ops format_ell = {.wants = KNOW_LENGTHS,
                                      .create = create,
                                      .refresh = sliced_refresh,
                                      .values_room = sliced_values_room,
                                      .spmv = sliced_product,
                                      .spmv_dot = sliced_product_and_dot,
                                      .spmv_then = sliced_product_then,
                                      .to_csr = sliced_to_csr,
                                      .bytes = sliced_bytes,
                                      .release = sliced_release};
