#include "host/sum.h"

KERNEL(sum_stripes)
{
    for (uint32_t c = 0; c < a->rows; c++)
        stripes_level(a->s + a->from + c * a->stride, a->count);
}
