#include "shaders/sparse/sell_keys.h"
#include "host/sparse/slices.h"

KERNEL(sell_keys)
{
    PARALLEL_FOR (i, a->n) {
        a->key[i] = i / a->sigma << LENGTH_BITS | (LONG_ROW - stored_length(a->row, i));
        a->order[i] = i;
    }
}
