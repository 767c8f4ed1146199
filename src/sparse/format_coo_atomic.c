/* COO that adds products to y atomically in any order: the classic form, for comparison. */
#include "sparse/coo.h"

static vks_status create(vks_matrix *A)
{
    TRY(scatter_check(A));
    return coo_create(A);
}

static void product(struct rec *r, const vks_matrix *A, struct vec x, struct vec y)
{
    spmv_coo_atomic(r, coo_of(A), x, y);
}

const struct format_ops format_coo_atomic = {.create = create,
                                             .refresh = coo_refresh,
                                             .values_room = coo_values_room,
                                             .spmv = product,
                                             .to_csr = coo_back,
                                             .bytes = coo_memory,
                                             .own_order = true,
                                             .release = coo_release};
