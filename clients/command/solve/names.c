#include "command/solve/names.h"
#include "command/solve/attempts.h"

#include <stdio.h>

struct precond_text solve_precond(const struct solve_job *job)
{
    const vks_solve_report *r = &job->report;
    const vks_attempt *last = r->attempts ? &r->attempt[r->attempts - 1] : NULL;
    if (last && last->method == r->method && last->precond == r->precond)
        return attempt_precond(last);
    vks_precond_options o = job->set.precond.options[0];
    o.kind = r->precond;
    return preconds_write(&o);
}

struct method_text solve_method(const struct solve_job *job)
{
    const vks_solve_report *r = &job->report;
    bool has_precond = vks_method_takes_precond(r->method);
    struct method_text w;
    char weight[32] = "";
    if (r->weight > 0) /* 0: the method has none, or A was refused before one was taken */
        snprintf(weight, sizeof weight, ", weight %.4g", r->weight);
    snprintf(w.text, sizeof w.text, "%s%s%s%s", vks_method_name(r->method), has_precond ? " with " : "",
             has_precond ? solve_precond(job).text : "", weight);
    return w;
}
