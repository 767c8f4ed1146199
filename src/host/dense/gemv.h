/* Rows of dense matrices on the host; shaders/dense/gemv.glsl defines the order of the sums. */
#ifndef VKS_HOST_DENSE_GEMV_H
#define VKS_HOST_DENSE_GEMV_H

#include "host/sum.h"
#include "shaders/dense/order.h"

static inline uint32_t strips_of(uint32_t cols)
{
    return cols ? cols / GEMV_STRIP + (cols % GEMV_STRIP != 0) : 1;
}

static inline scalar_t lanes_sum(scalar_t *v, uint32_t lanes)
{
    for (uint32_t stride = lanes / 2; stride; stride /= 2)
        for (uint32_t l = 0; l < stride; l++)
            v[l] += v[l + stride];
    return v[0];
}

/* The sum by 32 lanes, held in SIMD registers. */
static inline scalar_t by_32(const scalar_t *restrict A, const scalar_t *restrict x, uint32_t count)
{
    scalar_t v[32] = {0};
    uint32_t k = 0;
    for (; k + 32 <= count; k += 32)
        for (uint32_t l = 0; l < 32; l++)
            v[l] += mul(A[k + l], x[k + l]);
    for (uint32_t l = 0; k + l < count; l++)
        v[l] += mul(A[k + l], x[k + l]);
    return lanes_sum(v, 32);
}

static inline scalar_t strip_sum(const scalar_t *restrict A, const scalar_t *restrict x, uint32_t count,
                                 uint32_t lanes)
{
    scalar_t v[32] = {0};
    if (lanes == 32)
        return by_32(A, x, count);
    for (uint32_t k = 0; k < count; k += lanes)
        for (uint32_t l = 0; l < lanes && k + l < count; l++)
            v[l] += mul(A[k + l], x[k + l]);
    return lanes_sum(v, lanes);
}

/* The sum of strip p of row i. */
static inline scalar_t strip_at(const scalar_t *A, const scalar_t *x, uint32_t i, uint32_t p, uint32_t cols,
                                uint32_t ld, uint32_t lanes)
{
    uint32_t from = p * GEMV_STRIP, left = cols - from;
    return strip_sum(A + (size_t)i * ld + from, x + from, left < GEMV_STRIP ? left : GEMV_STRIP, lanes);
}

static inline void leave(scalar_t *y, const scalar_t *b, uint32_t i, scalar_t sum)
{
    y[i] = b ? sum + b[i] : sum;
}

/* Computes all strips, which threads share: for gemv_rows and gemv_strips. */
static inline void gemv_parts(const scalar_t *A, const scalar_t *x, const scalar_t *b, scalar_t *y,
                              scalar_t *s, uint32_t rows, uint32_t cols, uint32_t ld, uint32_t lanes,
                              struct member *me)
{
    uint32_t strips = strips_of(cols), parts = rows * strips;
    TEAM_FOR(me, part, parts, (uint64_t)rows * cols >= 65536 ? 2 : UINT32_MAX, 1)
    {
        uint32_t i = part / strips, p = part % strips;
        scalar_t sum = strip_at(A, x, i, p, cols, ld, lanes);
        if (strips == 1)
            leave(y, b, i, sum);
        else
            s[part] = sum;
    }
}

#endif
