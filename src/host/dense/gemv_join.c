#include "host/dense/gemv.h"

KERNEL(gemv_join)
{
    PARALLEL_FOR (i, a->rows)
        leave(a->y, a->b, i, sum_in_place(a->s + (size_t)i * a->strips, a->strips));
}
