#include "host/sparse/csc.h"

KERNEL(csc_to_csr)
{
    uint32_t shares = csc_shares(a->entries);
    FOR_TILES (s, shares) {
        FOR_SHARE(k, j, s, a->start, a->cols, a->entries)
        {
            a->to_col[a->place[k]] = j;
            a->to_val[a->place[k]] = a->val[k];
        }
    }
}
