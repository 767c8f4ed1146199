/* The twin of shaders/solver/bicgstab.glsl and bicgstab_decide.glsl. */
#ifndef VKS_HOST_SOLVER_BICGSTAB_H
#define VKS_HOST_SOLVER_BICGSTAB_H

#include "host/solver/control.h"
#include "host/solver/rows.h"
#include "shaders/solver/bicgstab.h"
#include "shaders/solver/cg.h"
#include "shaders/solver/course_state.glsl"

/* The residual of a cycle's last step is used only if it ends the solve. */
static inline void bicgstab_decide(struct control *c, struct bicgstab_numbers *w, real *history,
                                   uint32_t kept, real rr, bool is_last_step)
{
    course now = course_after(course(w->marked, w->since), rr);
    w->marked = now.marked;
    w->since = w->fresh || now.since < w->since ? now.since : w->since;
    uint32_t state =
        course_state(c, c->iteration + (w->fresh != 0), rr, now, (real)COURSE_GROWTH, BICGSTAB_PATIENCE);
    if (w->fresh || (is_last_step && state != STATE_RUNNING))
        count_iteration(c, history, kept, rr);
    w->fresh = 0;
    c->rr = rr;
    c->state = state;
}

/* z = M^-1 v of a tile, where M is the diagonal d. */
static inline void diagonal_tile(uint32_t form, const scalar_t *restrict d, const scalar_t *restrict v,
                                 scalar_t *restrict z, uint32_t first, uint32_t length)
{
    for (uint32_t j = 0; j < length; j++)
        z[first + j] = form == FORM_EACH ? mul(d[first + j], v[j]) : form == FORM_ONE ? mul(*d, v[j]) : v[j];
}

#endif
