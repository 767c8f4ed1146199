#include "host/kernel.h"
#include "shaders/sparse/narrow.h"

static void widen(uint32_t word, uint32_t *to)
{
    if (NARROW_IS_NAN(word)) {
        to[0] = 0;
        to[1] = SIGN_OF(word) | WIDE_NAN;
    } else if (NARROW_IS_DENORMAL(word)) {
        uint32_t shift = (uint32_t)__builtin_clz(MAGNITUDE_OF(word)) - 8;
        to[0] = DENORMAL_LOW(word, shift);
        to[1] = DENORMAL_HIGH(word, shift);
    } else {
        to[0] = WIDENED_LOW(word);
        to[1] = WIDENED_HIGH(word);
    }
}

KERNEL(widen_values)
{
    PARALLEL_FOR (i, a->n) {
        widen(a->from[i], a->to + 2 * (size_t)i);
    }
}
