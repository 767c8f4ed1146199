/* Arithmetic on pairs of doubles, as in shaders/pairs.glsl with WIDE_PAIRS defined. */
#ifndef VKS_HOST_WIDE_PAIRS_H
#define VKS_HOST_WIDE_PAIRS_H

#include <stdint.h>
#include <string.h>

struct wide_pair {
    double high, low;
};

#define PART double
#define PAIR struct wide_pair
#define PAIR_NAME(name) wide_##name
#define PART_BITS uint64_t
#define PART_MASK 0xFFFFFFFFF8000000u
#include "host/pair_arithmetic.h"

#endif
