#include "host/solver/control.h"

KERNEL(csr_products)
{
    if (a->c && !alive(a->c))
        return;
    PARALLEL_FOR (k, a->entries)
        a->product[k] = a->val[k] * a->x[a->col[k]];
}
