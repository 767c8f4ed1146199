/* Shadow vectors of numbers (shadow.h): magnitudes from 1 to 2, with 20 bits, exact in both precisions. */
#ifndef VKS_SOLVER_SHADOW
#define VKS_SOLVER_SHADOW

#include "hash.glsl"
#include "solver/shadow.h"

INLINE bool shadow_has_numbers(real start, uint n)
{
    return start < real(0) || n <= SHADOW_FEW;
}

/* `h` is a hash. */
INLINE real shadow_number(uint h, bool is_negative)
{
    real v = real(1) + real(hash(h) >> 12) * real(0.00000095367431640625);
    return is_negative ? -v : v;
}

#endif
