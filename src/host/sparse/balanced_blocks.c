#include "../../../shaders/sparse/balanced.h"
#include "host/kernel.h"

KERNEL(balanced_blocks)
{
    PARALLEL_FOR (b, a->blocks) {
        uint32_t before = BALANCED_SHARE * b, from = 0, to = a->n;
        while (from < to) {
            uint32_t middle = from + (to - from) / 2;
            if (a->row[middle] + middle < before)
                from = middle + 1;
            else
                to = middle;
        }
        a->first[b] = from;
    }
    a->first[a->blocks] = a->n;
}
