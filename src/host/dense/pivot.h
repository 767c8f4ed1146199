/* The pivot search on the host; shaders/dense/pivot.glsl is its twin. Candidates are three words each; the
 * host uses one candidate and leaves the others empty. */
#ifndef VKS_HOST_DENSE_PIVOT_H
#define VKS_HOST_DENSE_PIVOT_H

#include "host/kernel.h"
#include "shaders/dense/pivot.h"

#include <string.h>

struct candidate {
    uint64_t magnitude; /* its bits; in f32 in the upper half, as in the words of a candidate */
    uint32_t row;
};

static inline struct candidate no_candidate(void)
{
    return (struct candidate){0, PIVOT_NONE};
}

static inline uint64_t magnitude_of(scalar_t v)
{
#if REAL == 64
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits & INT64_MAX;
#else
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return (uint64_t)(bits & INT32_MAX) << 32;
#endif
}

static inline bool better(struct candidate a, struct candidate b)
{
    return a.magnitude != b.magnitude ? a.magnitude > b.magnitude : a.row < b.row;
}

/* The reason why elimination ends at this pivot; 0: it continues. */
static inline uint32_t ending_of(struct candidate c)
{
    uint64_t special = (uint64_t)(REAL == 64 ? 0x7FF00000u : 0x7F800000u) << 32;
    return c.magnitude >= special ? PIVOT_SPECIAL : c.magnitude == 0 ? PIVOT_ZERO : 0;
}

static inline struct candidate read_best(const uint32_t *list, uint32_t candidates)
{
    struct candidate best = no_candidate();
    for (uint32_t g = 0; g < candidates; g++) {
        const uint32_t *w = list + 3 * g;
        struct candidate c = {(uint64_t)w[0] << 32 | w[1], w[2]};
        if (better(c, best))
            best = c;
    }
    return best;
}

static inline void leave_best(uint32_t *list, uint32_t candidates, struct candidate best)
{
    for (uint32_t g = 0; g < candidates; g++)
        memcpy(list + 3 * g, (uint32_t[]){0, 0, PIVOT_NONE}, 12);
    memcpy(list, (uint32_t[]){(uint32_t)(best.magnitude >> 32), (uint32_t)best.magnitude, best.row}, 12);
}

#endif
