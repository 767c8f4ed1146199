#include "host/kernel.h"

KERNEL(pack_words)
{
    PARALLEL_FOR (i, a->n) {
        uint32_t at = a->position[i];
        if (a->position[i + (size_t)1] != at)
            a->to[at] = a->indices ? i : a->from[i] & a->mask;
    }
}
