/* Calls of the caller's progress function. */
#include "abi/environment.h"
#include "report/clock.h"
#include "solvers/iterate/iterate.h"

#include <math.h>

bool cancel_requested(struct iteration *it, double residual)
{
    struct progress *p = &it->progress;
    if (!it->options->progress)
        return false;
    double relative = relative_to_b(p, residual);
    bool in_setup = isnan(relative);
    p->setup_steps += in_setup;
    vks_progress now = {.iteration = in_setup ? p->setup_steps : p->end.control.iteration,
                        .residual = relative,
                        .target = relative_to_b(p, p->target),
                        .seconds = (p->stopped > 0 ? p->stopped : clock_seconds()) - p->begun};
    struct visit visit = callers_enter();
    int stop = it->options->progress(it->options->user, &now);
    callers_leave(visit);
    return stop != 0;
}

bool cancel_requested_in_setup(void *iteration)
{
    struct iteration *it = iteration;
    return it->progress.cancelled || cancel_requested(it, it->progress.norm);
}
