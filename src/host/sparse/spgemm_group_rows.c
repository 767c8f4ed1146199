#include "host/sparse/spgemm_rows.h"

/* Keeps no columns, which does not change the result. */
KERNEL(spgemm_group_rows)
{
    TEAM_FOR(me, at, a->count, 17, 1)
    {
        uint32_t slots[1u << 12], i = a->list[at];
        struct table t = {.slot = slots, .bits = 12, .most = SPGEMM_GROUP_MOST};
        gather_columns(&t, a->a_col, a->b_row, a->b_col, a->a_row[i], a->a_row[i + (size_t)1]);
        if (a->fill)
            sorted_columns(&t, a->c_col + a->c_row[i]);
        else
            a->c_row[i] = t.used > t.most ? SPGEMM_UNKNOWN : t.used;
    }
}
