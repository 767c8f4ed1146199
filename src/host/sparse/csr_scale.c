#include "host/kernel.h"

KERNEL(csr_scale)
{
    PARALLEL_FOR (i, a->n) {
        for (uint32_t e = a->row[i]; e < a->row[i + 1]; e++) {
            real v = a->left ? a->left[i] * a->val[e] : a->val[e];
            a->val[e] = a->right ? v * a->right[a->col[e]] : v;
        }
    }
}
