#include "host/sparse/csc.h"
#include "host/sparse/scatter.h"

KERNEL(spmv_csc_atomic)
{
    uint32_t shares = csc_shares(a->entries);
    FOR_TILES (s, shares) {
        FOR_SHARE(k, j, s, a->start, a->cols, a->entries)
        add_to(a->y, a->row[k], mul(a->val[k], a->x[j]));
    }
}
