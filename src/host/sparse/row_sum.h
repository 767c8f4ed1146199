/* The sum of a row of A x by lanes, as in shaders/sparse/csr.glsl: lane l takes the terms l, l + lanes ...,
 * then a halving tree joins them. Four lanes are an explicit SIMD register. Otherwise compilers vectorise
 * several rounds of a row at once and split them again to keep the order of the sums: products take up to 1.7
 * times as long (gcc 12). */
#ifndef VKS_HOST_SPARSE_ROW_SUM_H
#define VKS_HOST_SPARSE_ROW_SUM_H

#include "host/kernel.h"

#include <string.h>

typedef scalar_t four_scalars __attribute__((vector_size(4 * sizeof(scalar_t))));
typedef stored four_values __attribute__((vector_size(4 * sizeof(stored))));

/* Defines, for a type to sum in, the sum of entries k .. end - 1 by 1, 2, 4 ... 32 lanes, a constant, and
 *
 *   _four     the terms of four lanes
 *   _some     the terms of the remaining 1 to 4 lanes; 0 for the others, which changes no sum that began as 0
 *   _alone    the sum by one lane
 *   _pair     the sum by two lanes */
#define DEFINE_ROW_SUM(type, row_sum)                                                                        \
    typedef type row_sum##_lanes __attribute__((vector_size(4 * sizeof(type))));                             \
                                                                                                             \
    static inline __attribute__((always_inline)) void row_sum##_four(                                        \
        row_sum##_lanes *term, const uint32_t *restrict col, const stored *restrict val,                     \
        const scalar_t *restrict x)                                                                          \
    {                                                                                                        \
        four_values a;                                                                                       \
        memcpy(&a, val, sizeof a);                                                                           \
        four_scalars b = {x[col[0]], x[col[1]], x[col[2]], x[col[3]]};                                       \
        *term = __builtin_convertvector(a, row_sum##_lanes) * __builtin_convertvector(b, row_sum##_lanes);   \
    }                                                                                                        \
                                                                                                             \
    static inline __attribute__((always_inline)) void row_sum##_some(                                        \
        row_sum##_lanes *term, const uint32_t *restrict col, const stored *restrict val,                     \
        const scalar_t *restrict x, uint32_t left)                                                           \
    {                                                                                                        \
        *term = (row_sum##_lanes){mul((type)val[0], (type)x[col[0]]),                                        \
                                  left > 1 ? mul((type)val[1], (type)x[col[1]]) : 0,                         \
                                  left > 2 ? mul((type)val[2], (type)x[col[2]]) : 0,                         \
                                  left > 3 ? mul((type)val[3], (type)x[col[3]]) : 0};                        \
    }                                                                                                        \
                                                                                                             \
    static inline __attribute__((always_inline)) type row_sum##_alone(                                       \
        const uint32_t *restrict col, const stored *restrict val, const scalar_t *restrict x, uint32_t left) \
    {                                                                                                        \
        type sum = 0;                                                                                        \
        for (; left >= 4; left -= 4, col += 4, val += 4) {                                                   \
            sum += mul((type)val[0], (type)x[col[0]]);                                                       \
            sum += mul((type)val[1], (type)x[col[1]]);                                                       \
            sum += mul((type)val[2], (type)x[col[2]]);                                                       \
            sum += mul((type)val[3], (type)x[col[3]]);                                                       \
        }                                                                                                    \
        for (uint32_t l = 0; l < left; l++)                                                                  \
            sum += mul((type)val[l], (type)x[col[l]]);                                                       \
        return sum;                                                                                          \
    }                                                                                                        \
                                                                                                             \
    static inline __attribute__((always_inline)) type row_sum##_pair(                                        \
        const uint32_t *restrict col, const stored *restrict val, const scalar_t *restrict x, uint32_t left) \
    {                                                                                                        \
        typedef type two_sums __attribute__((vector_size(2 * sizeof(type))));                                \
        two_sums sum = {0};                                                                                  \
        for (; left >= 2; left -= 2, col += 2, val += 2) {                                                   \
            two_sums a = {(type)val[0], (type)val[1]}, b = {(type)x[col[0]], (type)x[col[1]]};               \
            sum += a * b;                                                                                    \
        }                                                                                                    \
        if (left)                                                                                            \
            sum[0] += mul((type)val[0], (type)x[col[0]]);                                                    \
        return sum[0] + sum[1];                                                                              \
    }                                                                                                        \
                                                                                                             \
    static inline __attribute__((always_inline)) type row_sum(                                               \
        const uint32_t *restrict col, const stored *restrict val, const scalar_t *restrict x, uint32_t k,    \
        uint32_t end, uint32_t lanes)                                                                        \
    {                                                                                                        \
        uint32_t left = end - k;                                                                             \
        col += k;                                                                                            \
        val += k;                                                                                            \
        if (lanes < 4)                                                                                       \
            return lanes == 1 ? row_sum##_alone(col, val, x, left) : row_sum##_pair(col, val, x, left);      \
        row_sum##_lanes v[8] = {0}, term;                                                                    \
        for (; left >= lanes; left -= lanes, col += lanes, val += lanes)                                     \
            for (uint32_t q = 0; q < lanes / 4; q++) {                                                       \
                row_sum##_four(&term, col + 4 * q, val + 4 * q, x);                                          \
                v[q] += term;                                                                                \
            }                                                                                                \
        for (uint32_t q = 0; q < lanes / 4; q++)                                                             \
            if (4 * q < left) {                                                                              \
                row_sum##_some(&term, col + 4 * q, val + 4 * q, x, left - 4 * q);                            \
                v[q] += term;                                                                                \
            }                                                                                                \
        for (uint32_t stride = lanes / 8; stride; stride /= 2)                                               \
            for (uint32_t q = 0; q < stride; q++)                                                            \
                v[q] += v[q + stride];                                                                       \
        return (v[0][0] + v[0][2]) + (v[0][1] + v[0][3]);                                                    \
    }

#endif
