/* The twin of shaders/hash.glsl. */
#ifndef VKS_HOST_HASH_H
#define VKS_HOST_HASH_H

#include <stdint.h>

static inline uint32_t hash(uint32_t h)
{
    h = (h ^ (h >> 16)) * 0x85EBCA6Bu;
    h = (h ^ (h >> 13)) * 0xC2B2AE35u;
    return h ^ (h >> 16);
}

#endif
