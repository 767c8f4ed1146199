/* The loop of a solve: runs an operation of the iterations, then the stage that decides what follows
 * (stages.c), until no stage is left. It waits for the device in one place; vks_solve and vks_solver_poll
 * share it. */
#include "report/clock.h"
#include "solvers/solve/solve.h"

#include <math.h>

/* Runs the next step of the current operation, and the next stage if that was its last step. */
static vks_status advance(struct solve *s, double seconds, bool *waits)
{
    struct iteration *it = &s->it;
    *waits = false;
    if (iteration_is_under_way(it))
        TRY(iteration_step(it, seconds, waits));
    return iteration_is_under_way(it) ? VKS_OK : s->stage(s);
}

vks_status solve_advance(struct solve *s, double seconds)
{
    double until = clock_seconds() + seconds;
    bool waits = false, works_here = s->it.device->info.works_at_submission;
    vks_status status = VKS_OK;
    while (s->stage && !status && !waits) {
        status = advance(s, fmax(until - clock_seconds(), 0), &waits);
        if (works_here && clock_seconds() >= until)
            break;
    }
    if (!s->stage || status)
        s->seconds_setup = 0;
    return solve_pass(s, status);
}

void solve_report(const struct solve *s, vks_solve_report *report)
{
    const struct column *c = &s->it.column;
    *report = s->report;
    if (!solve_is_under_way(s))
        return;
    report->reason = VKS_REASON_NOT_RUN;
    if (c->end.control.iteration > report->iterations) {
        report->iterations = c->end.control.iteration;
        report->residual = relative_to_b(c, recurrence_of(c));
    }
}
