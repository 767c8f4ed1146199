/* The keys of rows in a round; shaders/multigrid/round.glsl is the twin. */
#ifndef VKS_HOST_MULTIGRID_ROUND_H
#define VKS_HOST_MULTIGRID_ROUND_H

#include "host/kernel.h"
#include "shaders/hash.glsl"
#include "shaders/multigrid/strength.h"

static inline uint32_t key_of(uint32_t i, uint32_t round)
{
    uint32_t h = hash(i * 2654435761u + round * 0x9E3779B9u);
    return h == 0 ? 1 : h == KEY_ROOT ? KEY_ROOT - 1 : h;
}

#endif
