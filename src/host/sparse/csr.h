/* Rows of A x with `lanes` lanes, a number that the compiler sees as a constant. */
#ifndef VKS_HOST_SPARSE_CSR_H
#define VKS_HOST_SPARSE_CSR_H

#include "host/sparse/row_sum.h"
#include "shaders/sparse/long.h"

/* The products of `count` rows with offsets at `row`, except long rows, whose y is unchanged. */
#define DEFINE_ROWS(type, row_sum, rows_lanes, rows_product)                                     \
    DEFINE_ROW_SUM(type, row_sum)                                                                \
                                                                                                 \
    static inline __attribute__((always_inline)) void rows_lanes(                                \
        const uint32_t *restrict row, const uint32_t *restrict col, const stored *restrict val,  \
        const scalar_t *restrict x, type *restrict y, uint32_t count, uint32_t lanes)            \
    {                                                                                            \
        for (uint32_t j = 0; j < count; j++)                                                     \
            if (row[j + 1] - row[j] <= LONG_ROW)                                                 \
                y[j] = row_sum(col, val, x, row[j], row[j + 1], lanes);                          \
    }                                                                                            \
                                                                                                 \
    static inline void rows_product(const uint32_t *row, const uint32_t *col, const stored *val, \
                                    const scalar_t *x, type *y, uint32_t count, uint32_t lanes)  \
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

DEFINE_ROWS(scalar_t, row_sum, rows_lanes, rows_product)

#endif
