/* A whole solve, from options to report, in one call. */
#include "solvers/solve/report.h"
#include "solvers/solve/shared.h"
#include "solvers/solve/solve.h"

#include <math.h>

/* Runs a solve from its set-up to its report. The caller's progress function may try to destroy or update a
 * shared preconditioner. */
static vks_status run_solve(struct solve *s)
{
    vks_precond *shared = s->options.shared_precond;
    shared_retain(shared);
    vks_status status = solve_begin_setup(s);
    if (status)
        partners_report_failure(&s->it.partners, status);
    if (shared)
        shared->solves++;
    IF_OK(status, solve_begin(s));
    IF_OK(status, solve_advance(s, INFINITY));
    if (shared)
        shared->solves--;
    solve_clear(s);
    shared_release(shared);
    return status;
}

vks_status solve_run(const struct equation *q, const vks_solve_options *options, vks_solve_report *report)
{
    struct solve s;
    vks_status status = solve_open(&s, q, options);
    IF_OK(status, solve_check(q->A, q->b, q->x, s.options.partners != NULL));
    IF_OK(status, run_solve(&s));
    solve_close(&s);
    *report = s.report;
    return status;
}
