/* The twin of shaders/solver/shadow.glsl. */
#ifndef VKS_HOST_SOLVER_SHADOW_H
#define VKS_HOST_SOLVER_SHADOW_H

#include "host/hash.h"
#include "shaders/solver/shadow.h"

static inline bool shadow_has_numbers(real start, uint32_t n)
{
    return start < 0 || n <= SHADOW_FEW;
}

static inline real shadow_number(uint32_t h, bool is_negative)
{
    real v = 1 + (real)(hash(h) >> 12) * (real)0x1p-20;
    return is_negative ? -v : v;
}

#endif
