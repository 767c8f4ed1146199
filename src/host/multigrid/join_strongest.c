#include "host/multigrid/lanes.h"

static uint32_t rank_of(const struct join_strongest_args *a, uint32_t begin, uint32_t end, uint32_t root)
{
    float sum = 0;
    for (uint32_t k = begin; k < end; k++)
        if (a->owner[a->col[k]] == root)
            sum += float_of(a->strength[k]);
    uint32_t size = a->size[root];
    return (word_of(sum) + 0x8000u) >> 16 << 16 | (0xFFFFu - (size < 0xFFFFu ? size : 0xFFFFu));
}

KERNEL(join_strongest)
{
    PARALLEL_FOR (i, a->n) {
        uint32_t begin = a->row[i], last = a->row[i + 1], own = a->owner[i], rank = 0, low = 0;
        uint32_t end = last - begin > JOIN_MOST ? begin + JOIN_MOST : last;
        for (uint32_t k = begin; k < end && own == NO_AGGREGATE; k++) {
            uint32_t root = a->owner[a->col[k]];
            if (root == NO_AGGREGATE)
                continue;
            uint32_t high = rank_of(a, begin, end, root);
            low = high > rank || (high == rank && ~root > low) ? ~root : low;
            rank = high > rank ? high : rank;
        }
        for (uint32_t k = low ? last : end; k < last; k++)
            low = ~a->owner[a->col[k]] > low ? ~a->owner[a->col[k]] : low;
        a->joined[i] = own != NO_AGGREGATE || low == 0 ? own : ~low;
    }
}
