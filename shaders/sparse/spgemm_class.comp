#version 460
#include "kernel.glsl"
#include "sparse/spgemm.h"

/* class_of[i] = how row i of a product is to be gathered, from the bound of its entries and their number, which may be
 * SPGEMM_UNKNOWN: by a workgroup, then, if its products are not too many, unless that was tried before. Traffic: 16 n
 * bytes. */
ARGS {
    u32s a_row;
    u32s bound;
    u32s entries;
    u32s class_of;
    uint n;
    uint tried;
};

uint class_for(uint a_entries, uint products, uint known)
{
    uint most = min(products, known);
    if (most == 0)
        return SPGEMM_NONE;
    if (a_entries <= SPGEMM_LANE_MOST && products <= SPGEMM_LANE_PRODUCTS)
        return SPGEMM_LANE;
    if (most <= SPGEMM_SQUAD_MOST)
        return SPGEMM_SQUAD;
    if (known != SPGEMM_UNKNOWN || (tried == 0 && products <= SPGEMM_GROUP_PRODUCTS))
        return SPGEMM_GROUP;
    return SPGEMM_SORT;
}

void main()
{
    FOR_EACH(i, n)
        class_of.at[i] = class_for(a_row.at[i + 1u] - a_row.at[i], bound.at[i], entries.at[i]);
}
