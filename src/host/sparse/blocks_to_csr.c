#include "host/kernel.h"

/* Writes row r of the blocks begin .. end - 1 to CSR entries from `to` on. */
static void write_row(const struct blocks_to_csr_args *a, uint32_t begin, uint32_t end, uint32_t r, size_t to)
{
    for (uint32_t q = begin; q < end; q++)
        for (uint32_t c = 0; c < a->wide; c++, to++) {
            a->to_col[to] = a->col[q] * a->wide + c;
            a->to_val[to] = a->val[((size_t)q * a->high + r) * a->wide + c];
        }
}

KERNEL(blocks_to_csr)
{
    PARALLEL_FOR (i, a->n) {
        uint32_t begin = a->row[i], end = a->row[i + (size_t)1], length = end - begin;
        for (uint32_t r = 0; r < a->high; r++) {
            uint32_t to = (begin * a->high + r * length) * a->wide;
            a->to_row[(size_t)i * a->high + r] = to;
            write_row(a, begin, end, r, to);
        }
    }
    if (LEADS)
        a->to_row[(size_t)a->n * a->high] = a->row[a->n] * a->high * a->wide;
}
