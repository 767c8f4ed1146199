#include "host/sum.h"

KERNEL(sum_level)
{
    for (uint32_t c = 0; c < a->rows; c++)
        sum_level(a->s + a->from + c * a->stride, a->count);
}
