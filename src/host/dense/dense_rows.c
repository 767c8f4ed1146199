#include "host/kernel.h"

#include <string.h>

KERNEL(dense_rows)
{
    TEAM_FOR(me, k, a->rows, (uint64_t)a->rows * a->cols >= 65536 ? 2 : UINT32_MAX, 1)
    {
        uint32_t other = a->row_of ? a->row_of[a->first + k] : a->first + k;
        const real *row = a->A + (size_t)(a->scatter ? k : other) * a->ld_A;
        real *to = a->to + (size_t)(a->scatter ? other : k) * a->ld_to;
        if (a->column)
            for (uint32_t j = 0; j < a->cols; j++)
                to[j] = row[a->column[j]];
        else
            memcpy(to, row, a->cols * sizeof *to);
    }
}
