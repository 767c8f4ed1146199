#include "device/search.h"
#include "host/kernel.h"

/* Clears column c in the nonempty rows of block row j; empty rows are cleared by their own iterations. */
static void clear_column(const struct mend_diagonal_args *a, uint32_t c, uint32_t j)
{
    uint32_t size = a->size, i = c / size, end = a->row[j + 1];
    uint32_t at = first_not_below(a->col, a->row[j], end, i);
    if (at == end || a->col[at] != i)
        return;
    for (uint32_t q = 0; q < size; q++)
        if (!a->empty[size * j + q])
            a->val[((size_t)size * at + q) * size + c % size] = 0;
}

KERNEL(mend_diagonal)
{
    uint32_t size = a->size;
    PARALLEL_FOR (c, a->n)
        for (uint32_t i = (uint32_t)c / size, k = a->row[i]; a->empty[c] && k < a->row[i + 1]; k++) {
            real *own = a->val + ((size_t)size * k + c % size) * size;
            for (uint32_t p = 0; p < size; p++) {
                bool diagonal = size * a->col[k] + p == c;
                own[p] = !diagonal ? 0 : a->reference[c] > 0 ? a->reference[c] : 1;
            }
            clear_column(a, (uint32_t)c, a->col[k]);
        }
}
