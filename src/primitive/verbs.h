/* The verbs of the primitives: each records one kernel and counts its bytes. */
#ifndef VKS_PRIMITIVE_VERBS_H
#define VKS_PRIMITIVE_VERBS_H

#include "device/record.h"

/* Workgroups of 256 for n invocations; what is beyond the device's most is strided over. */
static inline uint64_t groups_for(uint64_t n)
{
    return (n + 255) / 256;
}

/* n elements of `words` (1 or 2) words each become low, high. */
static inline void fill_words(struct rec *r, u32s y, uint32_t low, uint32_t high, uint32_t n, uint32_t words)
{
    run(r, fill_words, groups_for(n), .y = y, .low = low, .high = high, .n = n, .words = words);
    bill(r, 4 * (uint64_t)n * words);
}

#endif
