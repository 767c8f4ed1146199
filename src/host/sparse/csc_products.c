#include "host/sparse/csc.h"

KERNEL(csc_products)
{
    uint32_t shares = csc_shares(a->entries);
    FOR_TILES (s, shares) {
        FOR_SHARE(k, j, s, a->start, a->cols, a->entries)
        a->product[a->place[k]] = mul(a->val[k], a->x[j]);
    }
}
