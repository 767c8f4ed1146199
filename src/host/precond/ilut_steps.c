#include "host/precond/ilut.h"

/* One thread solves the lines in order, since the twin does not know that all steps belong to one level. */
KERNEL(ilut_steps)
{
    struct lines l = {a->row, a->at, a->col, a->scale, a->val};
    uint32_t pitch = ILUT_GROUP / a->lanes;
    if (LEADS)
        lines_take(&l, a->x, a->begin * pitch, a->end * pitch, a->lanes);
}
