#include "host/sparse/spgemm_sums.h"

KERNEL(spgemm_octet_values)
{
    struct product p = PRODUCT_OF(a);
    TEAM_FOR(me, i, a->n, 65, 16)
    {
        uint32_t a_entries = p.a_row[i + (size_t)1] - p.a_row[i],
                 c_entries = p.c_row[i + (size_t)1] - p.c_row[i];
        if (SPGEMM_BY_OCTET(a_entries, c_entries) && !sum_row(&p, i))
            take_least(a->missing, i);
    }
}
