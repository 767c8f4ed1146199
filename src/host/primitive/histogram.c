#include "shaders/primitive/histogram.h"
#include "host/kernel.h"

/* Bins that each thread counts privately. */
enum { OWN = 2048 };

static inline uint32_t value_at(const struct histogram_args *a, uint32_t i)
{
    return a->kind == LENGTHS ? a->from[i + 1] - a->from[i] : a->from[i];
}

static inline uint32_t weight_at(const struct histogram_args *a, uint32_t i)
{
    return a->kind == WEIGHTS ? a->weights[i] : 1;
}

static void count_in_place(const struct histogram_args *a, struct member *me)
{
    PARALLEL_FOR (i, a->n) {
        uint32_t v = value_at(a, i), weight = weight_at(a, i);
        uint32_t *bin = v < a->count ? a->bins + v : a->outside;
        __atomic_fetch_add(bin, weight, __ATOMIC_RELAXED);
    }
}

KERNEL(histogram)
{
    if (a->count > OWN) {
        count_in_place(a, me);
        return;
    }
    uint32_t own[OWN + 1] = {0};
    PARALLEL_FOR (i, a->n) {
        uint32_t v = value_at(a, i);
        own[v < a->count ? v : OWN] += weight_at(a, i);
    }
    for (uint32_t b = 0; b <= OWN; b++) {
        uint32_t *bin = b < OWN ? a->bins + b : a->outside, count = own[b];
        if (count)
            __atomic_fetch_add(bin, count, __ATOMIC_RELAXED);
    }
}
