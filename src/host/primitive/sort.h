/* Keys of one or two words on the host; shaders/primitive/sort.glsl is its twin. */
#ifndef VKS_HOST_PRIMITIVE_SORT_H
#define VKS_HOST_PRIMITIVE_SORT_H

#include "host/kernel.h"

/* Bits that have the key's order as unsigned numbers. */
static inline uint64_t ordered(uint64_t key, uint32_t words, uint32_t floats)
{
    uint64_t sign = words == 2 ? 1ull << 63 : 1ull << 31, all = sign | (sign - 1);
    return floats ? key ^ (key & sign ? all : sign) : key;
}

/* The key with these ordered bits. */
static inline uint64_t unordered(uint64_t bits, uint32_t words, uint32_t floats)
{
    uint64_t sign = words == 2 ? 1ull << 63 : 1ull << 31, all = sign | (sign - 1);
    return floats ? bits ^ (bits & sign ? sign : all) : bits;
}

static inline uint64_t load_key(const uint32_t *keys, uint32_t words, size_t i)
{
    return words == 2 ? keys[2 * i] | (uint64_t)keys[2 * i + 1] << 32 : keys[i];
}

static inline void store_key(uint32_t *keys, uint32_t words, size_t i, uint64_t key)
{
    if (words == 2) {
        keys[2 * i] = (uint32_t)key;
        keys[2 * i + 1] = (uint32_t)(key >> 32);
    } else
        keys[i] = (uint32_t)key;
}

#endif
