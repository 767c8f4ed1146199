#include "host/kernel.h"
#include "shaders/solver/cg.h"

KERNEL(cg_boundary)
{
    PARALLEL_FOR (i, a->n) {
        real r = a->r[a->index[i]];
        a->to[i] = a->form == FORM_EACH ? a->d[a->index[i]] * r : a->form == FORM_ONE ? a->d[0] * r : r;
    }
}
