#include "host/sparse/spgemm_sums.h"

/* A thread takes the whole row: the same sums as in pieces. */
KERNEL(spgemm_values)
{
    uint32_t pieces = *a->pieces;
    struct product p = PRODUCT_OF(a);
    PRAGMA(omp parallel for schedule(dynamic, 64) if (pieces > 64))
    for (uint32_t q = 0; q < pieces; q++) {
        uint32_t i = a->piece_row[q];
        if (a->piece_begin[q] == a->c_row[i] && !sum_row(&p, i))
            lacks(a->missing, i);
    }
}
