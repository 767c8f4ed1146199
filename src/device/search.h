/* Binary search on the host, in ascending numbers. */
#ifndef VKS_DEVICE_SEARCH_H
#define VKS_DEVICE_SEARCH_H

#include <stdint.h>

/* The first index in [first, last) whose number is `least` or more; else `last`. */
static inline uint32_t first_not_below(const uint32_t *v, uint32_t first, uint32_t last, uint64_t least)
{
    while (first < last) {
        uint32_t middle = first + (last - first) / 2;
        if (v[middle] < least)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

#endif
