#include "host/sparse/spgemm_sums.h"

/* A thread takes a whole row; the sums are the same as in pieces. */
KERNEL(spgemm_values)
{
    uint32_t pieces = *a->pieces;
    struct product p = PRODUCT_OF(a);
    TEAM_FOR(me, q, pieces, 65, 16)
    {
        uint32_t i = a->piece_row[q];
        if (a->piece_begin[q] == a->c_row[i] && !sum_row(&p, i))
            take_least(a->missing, i);
    }
}
