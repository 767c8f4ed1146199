#include "host/fsai/solve.h"

KERNEL(fsai_values)
{
    TEAM_FOR(me, i, a->n, 64, 8)
    {
        struct columns c;
        struct row_system system;
        uint32_t first = a->f_row[i], last = a->f_row[i + (size_t)1] - 1;
        columns_clear(&c);
        for (uint32_t k = first; k < last; k++)
            columns_add(&c, a->f_col[k]);
        bool holds = c.count && solve_row(ROWS_OF_A(a), i, &c, &system);
        for (uint32_t k = first; k < last; k++)
            a->f_val[k] = holds ? system.x[k - first] : 0;
        a->f_val[last] = 1;
    }
}
