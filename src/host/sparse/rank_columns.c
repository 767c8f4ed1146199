#include "host/kernel.h"

#define RANK_MOST 256

static void copy(const struct rank_columns_args *a, uint32_t from, uint32_t to)
{
    a->to_col[to] = a->col[from];
    a->to_place[to] = a->place[from];
}

/* Insertion sort of a row that begins at triplet `begin`. */
static void sort_row(const struct rank_columns_args *a, uint32_t begin, uint32_t end)
{
    for (uint32_t i = begin; i < end; i++) {
        uint32_t at = i;
        for (; at > begin && a->to_col[at - 1] > a->col[i]; at--) {
            a->to_col[at] = a->to_col[at - 1];
            a->to_place[at] = a->to_place[at - 1];
        }
        copy(a, i, at);
    }
}

KERNEL(rank_columns)
{
    PARALLEL_FOR (i, a->n) {
        uint32_t begin = a->bound[a->key[i]], end = a->bound[a->key[i] + (size_t)1];
        if (end - begin > RANK_MOST)
            copy(a, i, i);
        if (i != begin)
            continue;
        if (end - begin <= RANK_MOST)
            sort_row(a, begin, end);
        else
            take_most(a->longest, end - begin);
    }
}
