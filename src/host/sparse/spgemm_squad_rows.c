#include "host/sparse/spgemm_rows.h"

KERNEL(spgemm_squad_rows)
{
    TEAM_FOR(me, at, a->count, 17, 4)
    {
        uint32_t slots[1u << 9], i = a->list[at];
        struct table t = {.slot = slots, .bits = 9, .most = SPGEMM_SQUAD_MOST};
        gather_columns(&t, a->a_col, a->b_row, a->b_col, a->a_row[i], a->a_row[i + (size_t)1]);
        if (a->fill)
            sorted_columns(&t, a->c_col + a->c_row[i]);
        else
            a->c_row[i] = t.used > t.most ? SPGEMM_UNKNOWN : t.used;
    }
}
