#include "../../../shaders/primitive/histogram.h"
#include "host/kernel.h"

/* Bins that each thread counts for itself. */
enum { OWN = 2048 };

static inline uint32_t value_at(const struct histogram_args *a, uint32_t i)
{
    return a->kind == LENGTHS ? a->from[i + 1] - a->from[i] : a->from[i];
}

static inline uint32_t weight_at(const struct histogram_args *a, uint32_t i)
{
    return a->kind == WEIGHTS ? a->weights[i] : 1;
}

static void count_in_place(const struct histogram_args *a)
{
    PARALLEL_FOR (i, a->n) {
        uint32_t v = value_at(a, i), weight = weight_at(a, i);
        uint32_t *bin = v < a->count ? a->bins + v : a->outside;
        PRAGMA(omp atomic)
        *bin += weight;
    }
}

KERNEL(histogram)
{
    if (a->count > OWN) {
        count_in_place(a);
        return;
    }
    PRAGMA(omp parallel if (a->n >= PARALLEL_FROM))
    {
        uint32_t own[OWN + 1] = {0};
        PRAGMA(omp for schedule(static))
        for (uint32_t i = 0; i < a->n; i++) {
            uint32_t v = value_at(a, i);
            own[v < a->count ? v : OWN] += weight_at(a, i);
        }
        for (uint32_t b = 0; b <= OWN; b++) {
            uint32_t *bin = b < OWN ? a->bins + b : a->outside, count = own[b];
            if (count) {
                PRAGMA(omp atomic)
                *bin += count;
            }
        }
    }
}
