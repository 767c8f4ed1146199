#include "host/exponents.h"

static bool is_strong(const struct weak_diagonal_args *a, uint32_t i)
{
    for (uint32_t e = a->row[i]; e < a->row[i + 1] && a->col[e] <= i; e++)
        if (a->col[e] == i) {
            struct parts p = parts_of(a->val[e]);
            return p.counts && log_of(&p) + (int)a->left[i] + (int)a->right[i] >= LOG_WEAK;
        }
    return false;
}

KERNEL(weak_diagonal)
{
    uint32_t weak = 0;
    PARALLEL_FOR (i, a->n) {
        weak += !is_strong(a, i);
    }
    __atomic_fetch_add(a->weak, weak, __ATOMIC_RELAXED);
}
