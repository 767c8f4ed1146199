#include "host/kernel.h"

/* Row by row: the products have the same places as in the shader. */
KERNEL(spgemm_expand)
{
    TEAM_FOR(me, s, a->rows, 2, 1)
    {
        uint32_t i = a->list[s], high = (uint32_t)((uint64_t)s << a->shift), *to = a->key + a->start[s];
        for (uint32_t e = a->a_row[i]; e < a->a_row[i + (size_t)1]; e++)
            for (uint32_t f = a->b_row[a->a_col[e]]; f < a->b_row[a->a_col[e] + (size_t)1]; f++)
                *to++ = high | a->b_col[f];
    }
}
