/* Questions to the caller's progress function. */
#include "report/clock.h"
#include "solvers/iterate/iterate.h"

#include <math.h>

bool cancel_requested(struct iteration *it, double residual)
{
    struct progress *p = &it->progress;
    if (!it->options->progress)
        return false;
    bool in_setup = isnan(residual / p->b_norm);
    p->setup_steps += in_setup;
    vks_progress now = {.iteration = in_setup ? p->setup_steps : p->end.control.iteration,
                        .residual = residual / p->b_norm,
                        .target = p->target / p->b_norm,
                        .seconds = (p->stopped > 0 ? p->stopped : clock_seconds()) - p->begun};
    return it->options->progress(it->options->user, &now) != 0;
}

bool cancel_requested_in_setup(void *iteration)
{
    struct iteration *it = iteration;
    return it->progress.cancelled || cancel_requested(it, it->progress.norm);
}
