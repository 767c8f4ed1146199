#include "host/kernel.h"

KERNEL(csr_products)
{
    PARALLEL_FOR (k, a->entries)
        a->product[k] = mul(a->val[k], a->x[a->col[k]]);
}
