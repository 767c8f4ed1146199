#include "host/sparse/balanced.h"

KERNEL(balanced_tasks)
{
    PARALLEL_FOR (t, a->tasks) {
        uint32_t f = a->flag[t], from = f < a->n ? f : f - a->n, end = from + 1;
        while (f >= a->n && end < a->n && follows(a->row, end))
            end++;
        uint32_t *to = a->task + 4 * (size_t)t;
        to[0] = from;
        to[1] = end;
        to[2] = a->row[from];
        to[3] = a->row[end];
    }
}
