/* Keys in the order of their values, as in shaders/primitive/key.glsl. */
#ifndef VKS_HOST_PRIMITIVE_KEY_H
#define VKS_HOST_PRIMITIVE_KEY_H

#include "host/kernel.h"

#include <string.h>

#if defined(KEYS_OF_U32)
typedef uint32_t key;

static inline key key_of(uint32_t v)
{
    return v;
}
#else
#if REAL == 64
typedef uint64_t key;
#define INFINITE_BITS 0x7FF0000000000000u
#else
typedef uint32_t key;
#define INFINITE_BITS 0x7F800000u
#endif

static inline key key_of(real v)
{
    key bits, sign = ~((key)-1 >> 1);
    memcpy(&bits, &v, sizeof bits);
    if ((bits & ~sign) > INFINITE_BITS)
        return (key)-1;
    return bits & sign ? (key)~bits : bits ^ sign;
}
#endif

#endif
