#include "host/kernel.h"

KERNEL(fsai_finite)
{
    PARALLEL_FOR (i, a->n)
        for (uint32_t e = a->row[i]; e < a->row[i + (size_t)1]; e++)
            if (!finite(a->val[e]))
                take_least(&a->flags[2], i);
}
