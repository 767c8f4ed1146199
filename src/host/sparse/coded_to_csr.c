#include "host/sparse/coded.h"

KERNEL(coded_to_csr)
{
    uint32_t per_row = a->wide ? 2 : 1;
    PARALLEL_FOR (i, a->n) {
        struct sell_slice s = coded_slice_at(a->slice, a->units, i / SLICE);
        uint32_t length = stored_length(a->row, i);
        for (uint32_t k = 0, to = a->row[i]; k < length; k++, to++) {
            const uint32_t *w = a->code + (size_t)per_row * (SLICE * (s.four + k / 4) + i % SLICE);
            uint32_t code = code_in(w, k % 4, a->wide);
            a->col[to] = i + a->apart[code];
            memcpy(a->val + (size_t)a->words * to, a->value + (size_t)a->words * code, 4 * a->words);
        }
    }
}
