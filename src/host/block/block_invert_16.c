#include "host/block/invert.h"

KERNEL(block_invert_16)
{
    const struct batch all = {a->rows, a->at, a->from, a->to, a->fault, a->count, a->size};
    invert(&all, 8, 16, me);
}
