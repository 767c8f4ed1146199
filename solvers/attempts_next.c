/* From one attempt to the next, when its iterations have ended. */
#include "report/clock.h"
#include "solvers/report.h"
#include "solvers/solve.h"

uint32_t attempts_limit(const struct solve *s)
{
    const struct progress *p = &s->progress;
    uint32_t most = s->options.max_iterations, left = most - p->iterations_of_attempts;
    if (!s->attempts.count || left <= attempt_of(s)->budget || left - attempt_of(s)->budget <= p->beyond)
        return most;
    return p->iterations_of_attempts + attempt_of(s)->budget + p->beyond;
}

bool attempts_may_fail(const struct solve *s)
{
    return s->attempts.count && attempt_of(s)->may_fail;
}

double attempts_products(const struct solve *s)
{
    const struct precond *M = s->krylov.M;
    const vks_matrix *A = s->krylov.A;
    double each = s->method->products ? s->method->products : 1;
    bool counts = M && A && A->csr.entries > 0;
    return each * (1 + (counts ? (double)M->entries / A->csr.entries : 0));
}

/* Traffic is told as the mean of all iterations. */
void attempts_note(struct solve *s)
{
    vks_solve_report *r = s->report;
    struct progress *p = &s->progress;
    if (!r->attempts)
        return;
    vks_attempt *last = &r->attempt[r->attempts - 1];
    uint32_t before = 0;
    for (const vks_attempt *other = r->attempt; other < last; other++)
        before += other->iterations;
    last->iterations = r->iterations - before;
    last->reason = r->reason;
    last->true_residual = r->true_residual;
    last->products = last->iterations * attempts_products(s);
    p->bytes += last->iterations * r->bytes_per_iteration;
    if (r->iterations)
        r->bytes_per_iteration = p->bytes / r->iterations;
}

vks_status attempts_begin(struct solve *s)
{
    struct progress *p = &s->progress;
    p->resumes = false;
    p->norm_at_start = p->norm_of_attempt = p->norm;
    p->iterations_of_attempts = s->report->iterations;
    p->beyond = p->fruitless = 0;
    p->tightening = 1;
    return start_cycle(s);
}

static vks_status restored(struct solve *s)
{
    vks_status status = take_norms(s);
    s->report->true_residual = relative_residual(&s->progress);
    return status ? status : attempts_begin(s);
}

static void forget_reason(vks_solve_report *r)
{
    r->reason = VKS_REASON_NOT_RUN;
    r->row = UINT32_MAX;
    r->detail[0] = 0;
}

vks_status attempts_apart(struct solve *s, vks_status (*step)(struct solve *s))
{
    double begun = s->progress.stopped = clock_seconds();
    vks_status status = step(s);
    double seconds = clock_seconds() - begun;
    s->progress.begun += seconds;
    s->progress.stopped = 0;
    s->report->seconds_setup += seconds;
    return status;
}

static vks_status next(struct solve *s)
{
    const struct progress *p = &s->progress;
    struct attempts *a = &s->attempts;
    a->before.factor = p->norm / p->norm_of_attempt;
    a->before.time = attempt_of(s)->time * (s->report->iterations - p->iterations_of_attempts);
    bool worse = attempt_of(s)->may_fail && !(p->norm <= p->norm_at_start);
    s->attempts.at++;
    vks_status status = attempts_apart(s, attempts_change);
    if (status)
        return status;
    if (finding_refuses(&s->finding)) {
        report_finding(s->report, &s->finding);
        return end_solve(s);
    }
    return worse ? best_restore(s, restored) : attempts_begin(s);
}

static double power(double x, uint32_t exponent)
{
    double product = 1;
    for (uint32_t i = 0; i < exponent; i++)
        product *= x;
    return product;
}

/* With the patience p: whether a p-th part of the iterations so far would meet the tolerance, if each went on
 * to multiply the residual by their mean factor. There are no logarithms in it, whose rounding libraries
 * differ in.
 */
static bool ends_soon(const struct solve *s)
{
    const struct progress *p = &s->progress;
    uint32_t patience = attempt_of(s)->patience;
    double now = p->norm / p->norm_of_attempt, target = p->target / p->norm_of_attempt;
    return patience && !p->beyond && p->end.control.state == STATE_LIMIT &&
           power(now, patience + 1) <= power(target, patience);
}

/* Whether an attempt that may fail lowers the residual faster than the one before, by the time of the model.
 * Without one before: whether each budget gains a digit. The times are compared in eighths, since power()
 * takes integers. */
static bool does_better(const struct solve *s)
{
    const struct progress *p = &s->progress;
    const struct attempts *a = &s->attempts;
    const struct attempt *row = attempt_of(s);
    uint32_t iterations = s->report->iterations - p->iterations_of_attempts;
    double factor = p->norm / p->norm_of_attempt;
    if (!row->may_fail || !(p->norm < p->norm_of_attempt))
        return false;
    if (!(a->before.time > 0))
        return factor <= power(0.1, iterations / row->budget);
    double eighths = 8 * row->time * iterations / a->before.time;
    return power(factor, 8) <= power(a->before.factor, eighths < 8000 ? (uint32_t)eighths : 8000);
}

/* The row under way goes on, with iterations beyond its budget. */
static vks_status go_beyond(struct solve *s, uint32_t iterations)
{
    struct progress *p = &s->progress;
    forget_reason(s->report);
    p->beyond = iterations;
    if (p->end.control.state == STATE_LIMIT && !s->method->corrects)
        return resume_cycle(s);
    p->resumes = false;
    p->norm_at_start = p->norm;
    s->report->restarts++;
    return start_cycle(s);
}

/* The list has an end now. Whether the row under way has a larger budget, in `longer`. */
static vks_status look(struct solve *s, bool *longer)
{
    uint32_t before = attempt_of(s)->budget;
    vks_solve_report *r = s->report;
    vks_status status = attempts_apart(s, attempts_look);
    uint32_t budget = attempt_of(s)->budget;
    *longer = budget > before;
    r->attempt[r->attempts - 1].budget = budget == ATTEMPT_REST ? 0 : budget;
    return status;
}

vks_status attempts_go_on(struct solve *s)
{
    const struct attempt *row = attempt_of(s);
    const struct attempts *a = &s->attempts;
    vks_solve_report *r = s->report;
    bool spent = r->reason == VKS_REASON_ITERATION_LIMIT && r->iterations < s->options.max_iterations;
    bool failed = row->may_fail && !spent && r->reason != VKS_REASON_CANCELLED &&
                  r->reason != VKS_REASON_ITERATION_LIMIT;
    if (spent && a->is_open) {
        bool longer;
        vks_status status = look(s, &longer);
        if (status || longer)
            return status ? status : go_beyond(s, 0);
    }
    if (spent && ends_soon(s))
        return go_beyond(s, row->budget / row->patience);
    if (spent && does_better(s))
        return go_beyond(s, s->progress.beyond + row->budget);
    if (a->at + 1 == a->count || (!spent && !failed))
        return end_solve(s);
    attempts_note(s);
    if (row->may_fail)
        attempts_warn(s, failed ? "failed" : "lowered the residual too little", failed ? r->detail : "");
    forget_reason(r);
    return next(s);
}
