/* The progress of a solve between two submissions: its residuals, whether they meet the tolerance, and
 * whether the caller wants to go on. */
#include "report/clock.h"
#include "solvers/run/run.h"

#include <math.h>
#include <stdio.h>

/* The share of the tolerance up to which the part of A x in the null space is taken for rounding. The rest of
 * the residual then makes room for it. */
static const double rounding_share = 0.1;

/* The norm of b - A x, where b is without its part in the null space. */
static double whole_norm(const struct progress *p)
{
    return hypot(p->norm, p->part);
}

double relative_residual(const struct progress *p)
{
    double norm = whole_norm(p);
    return norm == 0 ? 0 : norm / p->b_norm;
}

double recurrence_of(const struct progress *p)
{
    return sqrt(p->end.numbers.rr) * p->sigma;
}

bool wants_cancel(struct solve *s, double residual)
{
    struct progress *p = &s->progress;
    if (!s->options.progress)
        return false;
    bool in_setup = isnan(residual / p->b_norm);
    p->setup_steps += in_setup;
    vks_progress told = {.iteration = in_setup ? p->setup_steps : p->end.control.iteration,
                         .residual = residual / p->b_norm,
                         .target = p->target / p->b_norm,
                         .seconds = (p->stopped > 0 ? p->stopped : clock_seconds()) - p->begun};
    return s->options.progress(s->options.user, &told) != 0;
}

bool is_unwanted(void *solve)
{
    struct solve *s = solve;
    return s->progress.cancelled || wants_cancel(s, s->progress.norm);
}

double least_goal(const struct solve *s)
{
    return s->chain.is ? s->limits.singular : s->options.rtol;
}

/* Where no x makes b - A x smaller. If columns differ in unit, ||A|| is that of the largest, so any x may
 * seem good enough: the method, which scales columns, has to be content, too. */
static bool settle_least(const struct solve *s)
{
    const struct progress *p = &s->progress;
    vks_solve_report *report = s->report;
    uint32_t state = p->end.control.state;
    bool is_content = state == STATE_MET || state == STATE_BREAKDOWN || p->normal == 0;
    if (!is_content || !(p->normal <= least_goal(s)))
        return false;
    report->reason = VKS_REASON_CONVERGED;
    report->least_squares = 1;
    snprintf(report->detail, sizeof report->detail,
             "a least-squares solution: ||A^T r|| is %.3g ||A|| ||r||, and r = b - A x is %.3g of b",
             p->normal, relative_residual(p));
    return true;
}

/* As the last of several methods: a solution was asked for. */
static bool settle_singular(const struct solve *s)
{
    vks_solve_report *report = s->report;
    if (!settle_least(s))
        return false;
    report->reason = VKS_REASON_SINGULAR;
    report->least_squares = 0;
    report->row = UINT32_MAX;
    snprintf(report->detail, sizeof report->detail,
             "A is singular, or nearly so, and A x = b has no solution: no x makes the residual smaller than "
             "%.3g of b, where ||A^T r|| is %.3g ||A|| ||r||",
             relative_residual(&s->progress), s->progress.normal);
    return true;
}

/* Also true where the tolerance is met by all that iterations can lower, while A x has a part in the null
 * space that is more than rounding. */
bool settle(const struct solve *s)
{
    const struct progress *p = &s->progress;
    bool met = whole_norm(p) <= p->target;
    if (!met && s->method->least_squares)
        return s->chain.is ? settle_singular(s) : settle_least(s);
    if (!met && !(p->norm <= p->target && !(p->part <= rounding_share * p->target)))
        return false;
    s->report->reason = VKS_REASON_CONVERGED;
    s->report->detail[0] = 0;
    s->report->row = UINT32_MAX;
    if (!met)
        tell_not_singular(s);
    return true;
}
