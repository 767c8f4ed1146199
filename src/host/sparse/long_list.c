#include "host/sparse/long.h"

KERNEL(long_list)
{
    PARALLEL_FOR (i, a->n) {
        uint32_t first = a->before[i], last = a->before[i + 1];
        for (uint32_t p = first; p < last; p++) {
            uint32_t begin = a->row[i] + LONG_PIECE * (p - first), end = a->row[i + 1];
            uint32_t some = end - begin < LONG_PIECE ? end - begin : LONG_PIECE;
            a->length[p] = some;
            uint32_t *to = a->list + 4 * (size_t)p;
            to[0] = begin;
            to[1] = begin + some;
            to[2] = i;
            to[3] = last - first;
        }
    }
}
