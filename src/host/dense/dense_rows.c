#include "host/kernel.h"

#include <string.h>

KERNEL(dense_rows)
{
    if (a->state && *a->state)
        return;
#pragma omp parallel for schedule(static) if ((uint64_t)a->rows * a->cols >= 65536)
    for (uint32_t k = 0; k < a->rows; k++) {
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
