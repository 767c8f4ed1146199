#include "host/solver/control.h"
#include "host/sum.h"
#include "shaders/solver/minres.h"

KERNEL(minres_start)
{
    struct minres_numbers *w = a->w;
    if (!LEADS)
        return;
    real vz = real_part(rest_of_stripes(a->s + MINRES_VZ * a->stride, tiles_of(a->n))), gamma = ROOT(vz);
    w->square = vz;
    w->share = a->c->rr / vz;
    w->turn[0] = (struct minres_turn){
        .gamma = gamma, .gamma_old = 1, .c = 1, .c_old = 1, .s = 0, .s_old = 0, .eta = gamma, .size = 0};
    if (!isfinite(vz) || (vz > 0 && !isfinite(w->share)))
        a->c->state = STATE_NOT_FINITE;
    else if (vz <= 0)
        a->c->state = STATE_NOT_POSITIVE;
}
