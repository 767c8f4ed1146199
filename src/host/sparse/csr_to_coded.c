#include "host/sparse/coded.h"
#include "host/sparse/kinds.h"
#include "host/sparse/slices.h"

/* The code of a kind. If it has none, sets *lost and returns 0. */
static uint32_t code_of(const struct csr_to_coded_args *a, struct kind k)
{
    uint32_t mark = mark_of(k), at = home_of(k) & a->mask;
    for (uint32_t look = 0; look < KIND_PROBES && a->slots[2 * at] != mark; look++)
        at = (at + 1) & a->mask;
    uint32_t found = a->slots[2 * at] == mark ? a->slots[2 * at + 1] : 0;
    const uint32_t *v = a->value + a->words * found;
    if (found == 0 || a->apart[found] != k.apart || v[0] != k.low || (a->words == 2 && v[1] != k.high))
        __atomic_store_n(a->lost, 1, __ATOMIC_RELAXED);
    return found;
}

static uint32_t code_at(const struct csr_to_coded_args *a, uint32_t at, uint32_t end, uint32_t i)
{
    return at < end ? code_of(a, kind_of(a->col, a->val, a->words, at, i)) : 0;
}

static void row_to_codes(const struct csr_to_coded_args *a, struct sell_slice s, uint32_t i)
{
    uint32_t begin = i < a->n ? a->row[i] : 0, end = begin + (i < a->n ? stored_length(a->row, i) : 0);
    for (uint32_t k = 0; k < s.width; k += 4) {
        uint32_t at = SLICE * (s.four + k / 4) + i % SLICE, c[4];
        for (uint32_t q = 0; q < 4; q++)
            c[q] = code_at(a, begin + k + q, end, i);
        if (a->wide) {
            a->code[2 * at] = c[0] | c[1] << 16;
            a->code[2 * at + 1] = c[2] | c[3] << 16;
        } else {
            a->code[at] = c[0] | c[1] << 8 | c[2] << 16 | c[3] << 24;
        }
    }
}

KERNEL(csr_to_coded)
{
    uint32_t positions = slice_count(a->n, SLICE) * SLICE;
    PARALLEL_FOR (i, positions) {
        row_to_codes(a, coded_slice_at(a->slice, a->units, i / SLICE), i);
    }
}
