#include "host/sparse/long.h"

/* Fills one row of a slice, from position `at` to before `end`. */
static void row_to_slice(const struct csr_to_bsr_args *a, uint32_t i, uint32_t at, uint32_t end)
{
    uint32_t from = i < a->n ? a->row[i] : 0, last = i < a->n ? a->row[i + 1] : 0;
    last = last - from > LONG_ROW ? from : last;
    for (uint64_t to = at; to < end; to += 32, from++)
        a->val[to] = from < last ? a->from_val[from] : 0;
}

KERNEL(csr_to_bsr)
{
    uint32_t slices = a->n / 32 + (a->n % 32 != 0);
    TEAM_FOR(me, s, slices, PARALLEL_FROM / 32, 1)
    for (uint32_t j = 0; j < 32; j++)
        row_to_slice(a, 32 * s + j, a->slice[s] + j, a->slice[s + 1]);
}
