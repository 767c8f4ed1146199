/* The sum of a row of A x by `lanes` lanes, as in shaders/sparse/csr.glsl. On the host the lanes are those of
 * a SIMD register; the compiler gets their number as a constant. */
#ifndef VKS_HOST_SPARSE_CSR_H
#define VKS_HOST_SPARSE_CSR_H

#include "../../../shaders/sparse/long.h"
#include "host/kernel.h"

/* Defines, for a type in which to sum, the product of a row. */
#define DEFINE_ROW_SUM(type, row_sum)                                                                 \
    static inline __attribute__((always_inline)) type row_sum(                                        \
        const uint32_t *restrict col, const stored *restrict val, const real *restrict x, uint32_t k, \
        uint32_t end, uint32_t lanes)                                                                 \
    {                                                                                                 \
        type v[32] = {0};                                                                             \
        for (; end - k >= lanes; k += lanes)                                                          \
            for (uint32_t l = 0; l < lanes; l++)                                                      \
                v[l] += (type)val[k + l] * (type)x[col[k + l]];                                       \
        for (uint32_t l = 0; k + l < end; l++)                                                        \
            v[l] += (type)val[k + l] * (type)x[col[k + l]];                                           \
        for (uint32_t stride = lanes / 2; stride; stride /= 2)                                        \
            for (uint32_t l = 0; l < stride; l++)                                                     \
                v[l] += v[l + stride];                                                                \
        return v[0];                                                                                  \
    }

/* The products of `count` rows whose offsets begin at row, but for long ones, whose y is left alone. */
#define DEFINE_ROWS(type, row_sum, rows_lanes, rows_product)                                     \
    DEFINE_ROW_SUM(type, row_sum)                                                                \
                                                                                                 \
    static inline __attribute__((always_inline)) void rows_lanes(                                \
        const uint32_t *restrict row, const uint32_t *restrict col, const stored *restrict val,  \
        const real *restrict x, type *restrict y, uint32_t count, uint32_t lanes)                \
    {                                                                                            \
        for (uint32_t j = 0; j < count; j++)                                                     \
            if (row[j + 1] - row[j] <= LONG_ROW)                                                 \
                y[j] = row_sum(col, val, x, row[j], row[j + 1], lanes);                          \
    }                                                                                            \
                                                                                                 \
    static inline void rows_product(const uint32_t *row, const uint32_t *col, const stored *val, \
                                    const real *x, type *y, uint32_t count, uint32_t lanes)      \
    {                                                                                            \
        switch (lanes) {                                                                         \
        case 1:                                                                                  \
            rows_lanes(row, col, val, x, y, count, 1);                                           \
            break;                                                                               \
        case 2:                                                                                  \
            rows_lanes(row, col, val, x, y, count, 2);                                           \
            break;                                                                               \
        case 4:                                                                                  \
            rows_lanes(row, col, val, x, y, count, 4);                                           \
            break;                                                                               \
        case 8:                                                                                  \
            rows_lanes(row, col, val, x, y, count, 8);                                           \
            break;                                                                               \
        case 16:                                                                                 \
            rows_lanes(row, col, val, x, y, count, 16);                                          \
            break;                                                                               \
        default:                                                                                 \
            rows_lanes(row, col, val, x, y, count, 32);                                          \
        }                                                                                        \
    }

DEFINE_ROWS(real, row_sum, rows_lanes, rows_product)

#endif
