#include "host/kernel.h"
#include "shaders/solver/cg.h"

KERNEL(cg_keep)
{
    PARALLEL_FOR (i, a->n) {
        real z = a->form == FORM_EACH ? a->d[i] * a->r[i] : a->r[i];
        a->q[i] = a->p[i] - z;
    }
}
