/* Iterations that find the correction of x, divided by sigma, in an x of their own: because their precision
 * is lower than that of x, or because their method begins at zero. At the end of a cycle the correction is
 * added to the x of the solve, and the true residual replaces theirs, with a new scale. In exact arithmetic
 * both residuals are the same, so directions may stay: see docs/internals/solves.md. */
#include "solvers/run/run.h"

vks_status outer_record(struct solve *s)
{
    const struct resume *resume = s->method->resume;
    struct outer *o = &s->outer;
    rec_clear(&o->gather);
    rec_clear(&o->resume);
    method_record_finish(&o->gather, s->method, &s->krylov);
    struct vec correction = s->krylov.x;
    if (s->scaled.B) {
        correction = s->residual.r;
        scaled_gather(&o->gather, &s->scaled, s->krylov.x, correction);
    }
    s->residual.ops->gather(&o->gather, &s->residual, correction);
    if (!resume)
        return rec_prepare(&o->gather);
    state_record_put(&o->resume, &s->state);
    resume->set_aside(&o->resume, &s->krylov);
    s->residual.ops->hand_over(&o->resume, &s->residual);
    method_record_start(&o->resume, s->method, &s->krylov);
    resume->take_up(&o->resume, &s->krylov, state_ratio(&s->state));
    vks_status status = rec_prepare(&o->gather);
    return status ? status : rec_prepare(&o->resume);
}

vks_status outer_gather(struct solve *s)
{
    const struct progress *p = &s->progress;
    uint64_t ticket;
    bool lost = p->end.control.state == STATE_NOT_FINITE || p->end.control.state == STATE_DIVERGED;
    if (lost && !s->method->finish)
        return VKS_OK;
    s->report->refinements += s->outer.widens;
    s->residual.ops->set_gather(&s->residual, p->sigma);
    return rec_submit(&s->outer.gather,
                      &ticket); /* the driver waits for the true residual, which is submitted after it */
}

void outer_release(struct solve *s)
{
    rec_destroy(&s->outer.gather);
    rec_destroy(&s->outer.resume);
}
