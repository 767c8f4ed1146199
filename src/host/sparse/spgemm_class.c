#include "../../../shaders/sparse/spgemm.h"
#include "host/kernel.h"

static uint32_t class_for(uint32_t products, uint32_t known, bool tried)
{
    uint32_t most = products < known ? products : known;
    if (most == 0)
        return SPGEMM_NONE;
    if (most <= SPGEMM_SQUAD_MOST)
        return SPGEMM_SQUAD;
    if (known != SPGEMM_UNKNOWN || (!tried && products <= SPGEMM_GROUP_PRODUCTS))
        return SPGEMM_GROUP;
    return SPGEMM_SORT;
}

KERNEL(spgemm_class)
{
    PARALLEL_FOR (i, a->n) {
        a->class_of[i] = class_for(a->bound[i], a->entries[i], a->tried);
    }
}
