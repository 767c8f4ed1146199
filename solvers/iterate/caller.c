/* Calls of the caller's progress function. */
#include "abi/environment.h"
#include "report/clock.h"
#include "solvers/iterate/iterate.h"

#include <math.h>

bool cancel_requested(struct iteration *it, double residual)
{
    struct column *c = &it->column;
    if (!it->options->progress)
        return false;
    double relative = relative_to_b(c, residual);
    bool in_setup = isnan(relative);
    it->progress.setup_steps += in_setup;
    vks_progress now = {.iteration = in_setup ? it->progress.setup_steps : c->end.control.iteration,
                        .residual = relative,
                        .target = relative_to_b(c, c->target),
                        .seconds = (it->progress.stopped > 0 ? it->progress.stopped : clock_seconds()) -
                                   it->progress.begun};
    struct visit visit = callers_enter();
    int stop = it->options->progress(it->options->user, &now);
    callers_leave(visit);
    return stop != 0;
}

bool cancel_requested_in_setup(void *iteration)
{
    struct iteration *it = iteration;
    return it->progress.cancelled || cancel_requested(it, it->column.norm);
}
