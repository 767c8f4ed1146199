/* The least and the largest element in one pass; shaders/primitive/min_max.glsl is its twin. Include key.h
 * first. */
#ifndef VKS_HOST_PRIMITIVE_MIN_MAX_H
#define VKS_HOST_PRIMITIVE_MIN_MAX_H

#include "host/primitive/key.h"

typedef struct range {
    key low, high;
    uint32_t low_at, high_at;
} item;

static inline item nothing(uint32_t op)
{
    (void)op;
    return (item){(key)-1, 0, UINT32_MAX, UINT32_MAX};
}

/* Combines two items; the first of equal elements wins. */
static inline item combine(item a, item b, uint32_t op)
{
    (void)op;
    if (b.low < a.low || (b.low == a.low && b.low_at < a.low_at)) {
        a.low = b.low;
        a.low_at = b.low_at;
    }
    if (b.high > a.high || (b.high == a.high && b.high_at < a.high_at)) {
        a.high = b.high;
        a.high_at = b.high_at;
    }
    return a;
}

#include "host/primitive/tree.h"

/* Takes the pair of elements i and i + 1, which follow all elements taken so far: one comparison orders them,
 * then the smaller is compared with the least and the larger with the largest. */
static inline void take_pair(item *all, uint32_t i, key a, key b)
{
    bool turned = b < a;
    key low = turned ? b : a, high = turned ? a : b;
    if (low < all->low) {
        all->low = low;
        all->low_at = i + turned;
    }
    if (high > all->high) {
        all->high = high;
        all->high_at = i + (!turned && a != b);
    }
}

static inline void range_result(item all, uint32_t *result)
{
    const uint64_t low = all.low, high = all.high;
    result[0] = (uint32_t)low;
    result[1] = (uint32_t)(low >> 32);
    result[2] = (uint32_t)high;
    result[3] = (uint32_t)(high >> 32);
    result[4] = all.low_at;
    result[5] = all.high_at;
}

#endif
