/* Sums of the lanes of a row, and strengths; shaders/multigrid/lanes.glsl and strength.glsl are the twins. */
#ifndef VKS_HOST_MULTIGRID_LANES_H
#define VKS_HOST_MULTIGRID_LANES_H

#include "host/kernel.h"
#include "shaders/multigrid/strength.h"

#include <string.h>

/* The halving tree over `lanes` lanes, whose terms it overwrites. */
static inline real lanes_sum(real *v, uint32_t lanes)
{
    for (uint32_t stride = lanes / 2; stride; stride /= 2)
        for (uint32_t j = 0; j < stride; j++)
            v[j] += v[j + stride];
    return v[0];
}

static inline uint32_t word_of(float f)
{
    uint32_t word;
    memcpy(&word, &f, sizeof word);
    return word;
}

static inline float float_of(uint32_t word)
{
    float f;
    memcpy(&f, &word, sizeof f);
    return f;
}

static inline bool only_negative(const real *signs)
{
    return signs && signs[0] <= (real)POSITIVE_SHARE * signs[1];
}

static inline uint32_t strength_bits(real a, real root_i, real root_j, bool negative)
{
    real magnitude = a < 0 ? -a : a;
    return negative && a > 0 ? 0 : word_of((float)(magnitude * (root_i * root_j)));
}

static inline bool is_strong(uint32_t s, uint32_t most_i, uint32_t most_j, float threshold)
{
    float least = threshold * float_of(most_i < most_j ? most_i : most_j);
    return float_of(s) >= LEAST_STRENGTH && float_of(s) >= least;
}

#endif
