#include "../../../shaders/sparse/spgemm.h"
#include "host/kernel.h"

static uint32_t class_for(uint32_t a_entries, uint32_t products, uint32_t known, bool tried)
{
    uint32_t most = products < known ? products : known;
    if (most == 0)
        return SPGEMM_NONE;
    if (a_entries <= SPGEMM_LANE_MOST && products <= SPGEMM_LANE_PRODUCTS)
        return SPGEMM_LANE;
    if (most <= SPGEMM_SQUAD_MOST)
        return SPGEMM_SQUAD;
    if (known != SPGEMM_UNKNOWN || (!tried && products <= SPGEMM_GROUP_PRODUCTS))
        return SPGEMM_GROUP;
    return SPGEMM_SORT;
}

KERNEL(spgemm_class)
{
    PARALLEL_FOR (i, a->n) {
        uint32_t a_entries = a->a_row[i + (size_t)1] - a->a_row[i];
        a->class_of[i] = class_for(a_entries, a->bound[i], a->entries[i], a->tried);
    }
}
