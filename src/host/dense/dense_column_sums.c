#include "host/kernel.h"

/* Sums up to 32 columns, held in SIMD registers. */
static void sum_columns(const struct dense_column_sums_args *a, uint32_t col, uint32_t count)
{
    real part[8][32] = {0};
    for (uint32_t i = 0; i < a->rows; i++) {
        const scalar_t *row = a->A + (size_t)i * a->ld + col;
        for (uint32_t j = 0; j < count; j++)
            part[i % 8][j] += row[j] < 0 ? -row[j] : row[j];
    }
    for (uint32_t stride = 4; stride; stride /= 2)
        for (uint32_t q = 0; q < stride; q++)
            for (uint32_t j = 0; j < count; j++)
                part[q][j] += part[q + stride][j];
    for (uint32_t j = 0; j < count; j++)
        a->sums[col + j] = part[0][j];
}

KERNEL(dense_column_sums)
{
    uint32_t strips = a->cols / 32 + (a->cols % 32 != 0);
    TEAM_FOR(me, s, strips, (uint64_t)a->rows * a->cols >= 65536 ? 2 : UINT32_MAX, 1)
    sum_columns(a, 32 * s, a->cols - 32 * s < 32 ? a->cols - 32 * s : 32);
}
