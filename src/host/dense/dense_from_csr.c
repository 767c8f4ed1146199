#include "host/kernel.h"

KERNEL(dense_from_csr)
{
    PARALLEL_FOR (i, a->n) {
        for (uint32_t k = a->row[i]; k < a->row[i + 1]; k++)
            a->A[(size_t)i * a->ld + a->col[k]] = a->val[k];
    }
}
