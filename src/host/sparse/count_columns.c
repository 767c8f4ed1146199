#include "host/kernel.h"

KERNEL(count_columns)
{
    for (uint32_t i = 0; i < a->looked; i++)
        a->count[a->col[i * a->step]]++;
}
