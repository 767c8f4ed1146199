#include "../../../shaders/sparse/narrow.h"
#include "host/kernel.h"

KERNEL(widen_values)
{
    PARALLEL_FOR (i, a->n) {
        uint32_t word = a->from[i];
        a->to[2 * (size_t)i] = WIDENED_LOW(word);
        a->to[2 * (size_t)i + 1] = WIDENED_HIGH(word);
    }
}
