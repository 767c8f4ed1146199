#include "host/solver/control.h"
#include "host/solver/rows.h"

KERNEL(gmres_sums)
{
    if (LEADS)
        rest_of_rows(a->s, tiles_of(a->n), a->stride, a->w->column + 1, a->h);
}
