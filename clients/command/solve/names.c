#include "command/solve/names.h"
#include "command/solve/attempts.h"

struct precond_text solve_precond(const struct solve_job *job)
{
    const vks_solve_report *r = &job->report;
    const vks_attempt *last = r->attempts ? &r->attempt[r->attempts - 1] : NULL;
    if (last && last->method == r->method && last->precond == r->precond)
        return report_attempt_precond(last);
    vks_precond_options o = job->set.precond.options[0];
    o.kind = r->precond;
    return precond_write(&o);
}

struct method_text solve_method(const struct solve_job *job)
{
    struct precond_text precond = solve_precond(job);
    return report_method(&job->report, &precond);
}
