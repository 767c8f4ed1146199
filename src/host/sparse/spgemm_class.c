#include "host/kernel.h"
#include "shaders/sparse/spgemm.h"

static uint32_t class_for(const struct spgemm_class_args *a, uint32_t products, uint32_t known,
                          uint32_t length)
{
    uint32_t least = products < known ? products : known;
    if (least == 0)
        return SPGEMM_NONE;
    if (length <= SPGEMM_LANE_MOST && products <= SPGEMM_LANE_PRODUCTS)
        return SPGEMM_LANE;
    bool was_tried = products > SPGEMM_SQUAD_MOST && products <= SPGEMM_GROUP_MOST; /* by a lane group */
    if (least <= SPGEMM_SQUAD_MOST)
        return was_tried ? SPGEMM_SQUAD_TRY : SPGEMM_SQUAD;
    if (least <= SPGEMM_GROUP_MOST)
        return !a->tried ? SPGEMM_SQUAD_TRY : known == SPGEMM_UNKNOWN ? SPGEMM_TRY : SPGEMM_GROUP;
    uint32_t share = a->windows ? products / a->windows : 0; /* products per window */
    share = share <= a->most ? share : 0;
    uint32_t cost = SPGEMM_WINDOW_COST + length / SPGEMM_WINDOW_ENTRIES;
    if (share / SPGEMM_WINDOW_SHARE >= cost)
        return SPGEMM_WINDOW;
    if (!a->tried && products <= a->most)
        return SPGEMM_TRY;
    return share >= cost ? SPGEMM_WINDOW : SPGEMM_SORT;
}

KERNEL(spgemm_class)
{
    PARALLEL_FOR (i, a->n) {
        a->class_of[i] = class_for(a, a->bound[i], a->entries[i], a->a_row[i + (size_t)1] - a->a_row[i]);
    }
}
