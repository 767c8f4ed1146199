#include "kernel.glsl"
#include "sparse/spgemm.h"

/* class_of[i] = how to gather row i of A B: from its products, its entries, which may be SPGEMM_UNKNOWN, its entries
 * in A, and the number of windows of the columns (0: windows are not used). If a workgroup's products exceeded `most`,
 * in windows on average, it would take milliseconds: such a row is sorted. Traffic: 16 n bytes. */
ARGS {
    u32s a_row;
    u32s bound;
    u32s entries;
    u32s class_of;
    uint n;
    uint windows;
    uint most;
    uint tried; /* whether tables have been tried */
};

uint class_for(uint products, uint known, uint length)
{
    uint least = min(products, known);
    if (least == 0)
        return SPGEMM_NONE;
    if (length <= SPGEMM_LANE_MOST && products <= SPGEMM_LANE_PRODUCTS)
        return SPGEMM_LANE;
    bool was_tried = products > SPGEMM_SQUAD_MOST && products <= SPGEMM_GROUP_MOST; /* by a lane group */
    if (least <= SPGEMM_SQUAD_MOST)
        return was_tried ? SPGEMM_SQUAD_TRY : SPGEMM_SQUAD;
    if (least <= SPGEMM_GROUP_MOST)
        return tried == 0 ? SPGEMM_SQUAD_TRY : known == SPGEMM_UNKNOWN ? SPGEMM_TRY : SPGEMM_GROUP;
    uint share = windows == 0 ? 0 : products / windows; /* of a window */
    share = share <= most ? share : 0;
    uint cost = SPGEMM_WINDOW_COST + length / SPGEMM_WINDOW_ENTRIES;
    if (share / SPGEMM_WINDOW_SHARE >= cost)
        return SPGEMM_WINDOW;
    if (tried == 0 && products <= most)
        return SPGEMM_TRY;
    return share >= cost ? SPGEMM_WINDOW : SPGEMM_SORT;
}

void main()
{
    FOR_EACH(i, n)
        class_of.at[i] = class_for(bound.at[i], entries.at[i], a_row.at[i + 1u] - a_row.at[i]);
}
