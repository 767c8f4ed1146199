/* CSC that adds products to y atomically in any order: the classic form, for comparison. */
#include "sparse/csc.h"

static vks_status create(vks_matrix *A)
{
    TRY(scatter_check(A));
    return csc_create(A);
}

static void product(struct rec *r, const vks_matrix *A, struct vec x, struct vec y)
{
    spmv_csc_atomic(r, csc_of(A), x, y);
}

const struct format_ops format_csc_atomic = {.create = create,
                                             .refresh = csc_refresh,
                                             .values_room = csc_values_room,
                                             .spmv = product,
                                             .to_csr = csc_back,
                                             .bytes = csc_memory,
                                             .own_order = true,
                                             .release = csc_release};
