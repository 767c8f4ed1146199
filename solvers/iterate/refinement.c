/* Iterations that compute a correction of x, divided by sigma, in an x of their own: because their precision
 * is lower than that of x, or because their method begins at zero. At the end of a cycle the correction is
 * added to the x of the solve, and the true residual replaces theirs, with a new scale. In exact arithmetic
 * both residuals are equal, so directions may be kept: see docs/internals/solves.md. */
#include "solvers/iterate/iterate.h"

#include <math.h>

vks_status refinement_record(struct iteration *it)
{
    const struct resume *resume = it->method->resume;
    struct refinement *o = &it->refinement;
    rec_clear(&o->gather);
    rec_clear(&o->resume);
    method_record_finish(&o->gather, it->method, &it->krylov);
    struct vec correction = it->krylov.x;
    if (it->scaled->B) {
        correction = it->residual.r;
        scaled_gather(&o->gather, it->scaled, it->krylov.x, correction);
    }
    it->residual.ops->gather(&o->gather, &it->residual, correction);
    if (!resume)
        return rec_prepare(&o->gather);
    state_record_put(&o->resume, &it->column.state);
    resume->set_aside(&o->resume, &it->krylov);
    it->residual.ops->hand_over(&o->resume, &it->residual);
    method_record_start(&o->resume, it->method, &it->krylov);
    resume->take_up(&o->resume, &it->krylov, state_ratio(&it->column.state));
    TRY(rec_prepare(&o->gather));
    return rec_prepare(&o->resume);
}

vks_status refinement_gather(struct iteration *it)
{
    const struct column *c = &it->column;
    uint64_t ticket;
    bool lost = c->end.control.state == STATE_NOT_FINITE || c->end.control.state == STATE_DIVERGED;
    if (lost && !it->method->finish)
        return VKS_OK;
    c->report->refinements += it->refinement.widens;
    it->residual.ops->set_gather(&it->residual, ldexp(c->sigma, it->refinement.shift));
    return rec_submit(&it->refinement.gather,
                      &ticket); /* the wait is for the true residual, submitted next */
}

void refinement_release(struct iteration *it)
{
    rec_destroy(&it->refinement.gather);
    rec_destroy(&it->refinement.resume);
}
