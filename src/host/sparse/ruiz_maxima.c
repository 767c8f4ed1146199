#include "host/exponents.h"

static void raise_to(uint32_t *word, uint32_t most)
{
    uint32_t before = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (most > before &&
           !__atomic_compare_exchange_n(word, &before, most, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

KERNEL(ruiz_maxima)
{
    PARALLEL_FOR (i, a->n) {
        uint32_t row_most = a->row_most[i];
        for (uint32_t e = a->row[i]; e < a->row[i + 1]; e++) {
            struct parts p = parts_of(a->val[e]);
            uint32_t j = a->col[e];
            if (!p.counts)
                continue;
            uint32_t most = (uint32_t)(log_of(&p) + (int)a->left[i] + (int)a->right[j] + LOG_BIAS);
            row_most = most > row_most ? most : row_most;
            raise_to(&a->col_most[j], most);
        }
        a->row_most[i] = row_most;
    }
}
