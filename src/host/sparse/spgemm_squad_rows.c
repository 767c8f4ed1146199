#include "host/sparse/spgemm_rows.h"

/* If the row of C with offsets at *row was kept, copies its columns and returns true. */
static bool copy_kept(const uint32_t *kept, uint32_t stride, const uint32_t *row, uint32_t *col)
{
    uint32_t length = row[1] - row[0];
    if (length > stride)
        return false;
    for (uint32_t s = 0; s < length; s++)
        col[row[0] + s] = kept[s];
    return true;
}

KERNEL(spgemm_squad_rows)
{
    TEAM_FOR(me, at, a->count, 17, 4)
    {
        uint32_t slots[1u << 9], i = a->list[at], *kept = a->kept + (size_t)at * a->stride;
        struct table t = {.slot = slots, .bits = 9, .most = SPGEMM_SQUAD_MOST};
        if (a->fill && copy_kept(kept, a->stride, a->c_row + i, a->c_col))
            continue;
        gather_columns(&t, a->a_col, a->b_row, a->b_col, a->a_row[i], a->a_row[i + (size_t)1]);
        if (a->fill)
            sorted_columns(&t, a->c_col + a->c_row[i]);
        else
            a->c_row[i] = t.used > t.most ? SPGEMM_UNKNOWN : t.used;
        if (!a->fill && t.used <= a->stride)
            sorted_columns(&t, kept);
    }
}
