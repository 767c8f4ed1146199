#include "host/kernel.h"

KERNEL(count_columns)
{
    for (uint32_t i = 0; i < a->sampled; i++)
        a->count[a->col[i * a->step]]++;
}
