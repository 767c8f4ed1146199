/* Cycles, each from the true residual until the recurrence indicates that the tolerance is met. Only the true
 * residual confirms that. A step submits work and sets the next step. iteration_step waits for the
 * submission, or returns while it is in flight. */
#include "solvers/iterate/iterate.h"

#include <math.h>
#include <string.h>

static void note_cycle(struct column *c)
{
    struct iteration *it = c->it;
    const vks_solve_options *o = it->options;
    if (o->cycles && c->report->cycle_count < o->cycle_capacity)
        o->cycles[c->report->cycle_count++] = (vks_cycle){.iteration = c->report->iterations,
                                                          .keeps_directions = c->resumes,
                                                          .true_residual = relative_residual(c)};
}

/* Limit on cycles that gain too little. */
enum { MOST_FRUITLESS = 3 };
static const double little_gain = 0.9;

static vks_status cycle_iterated(struct iteration *it);

/* Goal of the plain norm. If the plain norm already meets the tolerance, either the scaled norm does not, or
 * there is a part in the null space: the plain norm must then fall by the ratio required of the scaled norm,
 * and at least by half, to leave room for the part. */
static double goal_of(const struct column *c)
{
    return c->norm > c->target ? c->target : c->norm * fmin(0.5, c->target / c->measure);
}

static vks_status start_cycle(struct iteration *it)
{
    struct column *c = &it->column;
    note_cycle(c);
    c->before = size_of_residual(c);
    c->normal_before = c->normal;
    c->iterations_before = c->report->iterations;
    it->krylov.broke_down = it->krylov.starts++ > 0 && c->end.control.state == STATE_BREAKDOWN;
    int exponent, most = c->limits.largest_exponent;
    frexp(c->norm, &exponent);
    exponent = exponent < -most ? -most : exponent > most ? most : exponent;
    c->ratio = c->sigma / ldexp(1, exponent);
    c->sigma = ldexp(1, exponent);
    double goal = fmax(goal_of(c) * c->tightening, c->norm * c->limits.reduction);
    set_goal(c, goal, NULL, c->report->iterations);
    uint64_t ticket = 0; /* not waited for: the batches queue behind it */
    TRY(it->residual.ops->set_hand_over(&it->residual, ldexp(1, -exponent)));
    TRY(rec_submit(c->resumes ? &it->refinement.resume : &it->start, &ticket));
    return batches_begin(it, cycle_iterated);
}

/* Fetches the history of the last cycle, and converts r . r to relative residuals. */
static vks_status fetch_history(struct column *c)
{
    struct iteration *it = c->it;
    uint32_t room = it->krylov.history.n, seen = c->end.control.seen;
    uint32_t to = seen < room ? seen : room;
    if (to <= c->history_from)
        return VKS_OK;
    double *h = it->options->history + c->history_from;
    uint32_t count = to - c->history_from;
    vks_status status =
        history_read(it->device, &it->history, it->krylov.history.precision, c->history_from, count, h);
    for (uint32_t i = 0; !status && i < count; i++)
        h[i] = relative_to_b(c, sqrt(h[i]) * c->sigma);
    c->history_from = c->report->history_count = to;
    return status;
}

/* Whether the residual is at most `share` of an earlier one: in the measure or, until the plain norm meets
 * the tolerance, in the plain norm, while the scaled one may rise. */
static bool has_come_down(const struct column *c, struct size before, double share)
{
    return c->measure <= share * before.measure ||
           (before.norm > c->target && c->norm <= share * before.norm);
}

/* Whether the residual has come down and differs: half of zero is zero, and nine tenths of a denormal number
 * may round to that number. */
static bool has_fallen(const struct column *c, struct size before, double share)
{
    bool changes = c->measure != before.measure || c->norm != before.norm;
    return changes && has_come_down(c, before, share);
}

/* Whether the true residual fell by a tenth or, for least squares, ||A^T r|| did. */
static bool gains(const struct column *c)
{
    const struct iteration *it = c->it;
    return has_fallen(c, c->before, little_gain) ||
           (it->method->least_squares && c->normal < c->normal_before &&
            c->normal <= little_gain * c->normal_before);
}

/* Tightens the goals that the method reached although the tolerance was missed. */
static void tighten(struct column *c)
{
    struct iteration *it = c->it;
    double share = c->target / c->measure;
    if (it->method->least_squares)
        share = fmax(share, least_goal(c) / c->normal);
    c->tightening *= fmin(0.5, fmax(1e-3, 0.3 * share));
}

/* Whether the recurrence continues with a smaller goal, because it still agrees with the true residual: a
 * restart would discard its directions. */
static bool goes_on(const struct column *c, double recurrence)
{
    const struct iteration *it = c->it;
    bool agrees = it->method->least_squares
                      ? gains(c)
                      : !it->method->corrects && recurrence <= c->target && c->norm <= 2 * recurrence;
    return c->end.control.state == STATE_MET && !it->progress.cancelled && agrees &&
           c->report->iterations < c->limits.iterations;
}

/* Continues iterating from the current point, with the state in the inbox. */
static vks_status resume_batches(struct iteration *it)
{
    uint64_t ticket;
    TRY(rec_submit(&it->put, &ticket));
    return batches_begin(it, cycle_iterated);
}

/* Continues with smaller goals. */
static vks_status go_on(struct iteration *it, double recurrence)
{
    struct column *c = &it->column;
    double goal = recurrence * fmin(0.5, c->norm <= c->target ? c->target / c->measure : 1);
    if (it->method->least_squares) {
        tighten(c);
        goal = c->target * c->tightening;
        c->before = size_of_residual(c);
        c->normal_before = c->normal;
    }
    if (column_meets_plain_alone(c))
        TRY(backup_save(it));
    set_goal(c, goal, &c->end, c->report->iterations);
    return resume_batches(it);
}

static vks_status resume_cycle(struct iteration *it)
{
    struct column *c = &it->column;
    set_goal(c, sqrt(c->end.numbers.stop) * c->sigma, &c->end, c->report->iterations);
    return resume_batches(it);
}

/* Rounding errors alone may raise the residual of least squares, by at most this factor. */
static const double most_raised = 1.01;

/* Whether another cycle may begin from zero: at most MOST_FRUITLESS may gain little. If the method met its
 * goal but the true residual did not, later goals are tighter. */
static bool may_begin_again(struct column *c)
{
    struct iteration *it = c->it;
    uint32_t state = c->end.control.state;
    bool is_lost = it->method->least_squares && !(c->norm <= most_raised * c->at_start.norm);
    c->fruitless += !gains(c);
    if (state == STATE_MET)
        tighten(c);
    return !is_lost && c->fruitless < MOST_FRUITLESS && state != STATE_NOT_FINITE &&
           state != STATE_NO_SOLUTION;
}

/* Whether the residual is low enough for another cycle, and whether that cycle keeps directions. If a cycle
 * of inner iterations fails, a cycle without directions may follow, provided that the residual has halved
 * since the last such cycle, so the solve terminates. If false, the report has the reason. */
static bool one_more(struct column *c)
{
    struct iteration *it = c->it;
    vks_solve_report *report = c->report;
    uint32_t state = c->end.control.state;
    bool halved = state == STATE_MET && has_fallen(c, c->before, 0.5);
    bool again = it->method->corrects || it->method->least_squares
                     ? may_begin_again(c)
                     : it->refinement.widens && state != STATE_LIMIT && has_fallen(c, c->at_start, 0.5);
    if (it->progress.cancelled)
        report->reason = VKS_REASON_CANCELLED;
    else if ((state == STATE_MET || state == STATE_LIMIT) && !isfinite(c->norm))
        report->reason = VKS_REASON_NOT_FINITE;
    else if (!halved && !again && state != STATE_INCONSISTENT)
        report->reason = reason_of(c, state);
    else if (report->iterations >= c->limits.iterations)
        report->reason = VKS_REASON_ITERATION_LIMIT;
    else if (cancel_requested(it, c->norm))
        report->reason = VKS_REASON_CANCELLED;
    else {
        c->resumes = halved && it->refinement.widens && it->method->resume;
        return true;
    }
    return false;
}

/* Reports the method's own view of the last cycle. */
static void report_cycle(struct column *c)
{
    struct iteration *it = c->it;
    vks_solve_report *report = c->report;
    if (c->end.control.iteration > report->iterations)
        report->residual = relative_to_b(c, recurrence_of(c));
    report->iterations = c->end.control.iteration;
    double rate = it->method->contraction ? it->method->contraction(&c->end) : NAN;
    if (isfinite(rate))
        report->contraction = rate;
}

static vks_status cycles_ended(struct iteration *it)
{
    bool may_settle = it->column.end.control.state != STATE_LIMIT && !it->progress.cancelled;
    if (may_settle && column_settle_at_rounding(&it->column))
        it->column.settled = it->column.report->reason == VKS_REASON_CONVERGED;
    else
        explain(&it->column);
    return VKS_OK;
}

/* Starts the next cycle, or ends. */
static vks_status after_cycle(struct iteration *it)
{
    struct column *c = &it->column;
    if (!one_more(c))
        return c->end.control.state == STATE_LIMIT ? cycles_ended(it) : assess_residual(it, cycles_ended);
    c->report->restarts += !c->resumes;
    if (!c->resumes)
        c->at_start = size_of_residual(c);
    return start_cycle(it);
}

/* Called after a cycle, with its true residual. */
static vks_status cycle_measured(struct iteration *it)
{
    struct column *c = &it->column;
    double recurrence = recurrence_of(c);
    report_cycle(c);
    c->settled = column_is_solved(c);
    if (!c->settled && goes_on(c, recurrence))
        return go_on(it, recurrence);
    TRY(fetch_history(c));
    if (c->settled)
        return VKS_OK;
    bool worse = it->method->corrects && !has_come_down(c, c->before, 1);
    return worse ? backup_restore(it, after_cycle) : after_cycle(it);
}

/* Falls back after workgroups of one dispatch timed out: the solve continues with a dispatch for each step,
 * from the current point or, after STATE_INCONSISTENT, from a new true residual. */
static void fall_back_to_unfused(struct iteration *it)
{
    it->method->fused->missed(&it->krylov);
    it->column.report->together = it->batches.groups = 0;
    batches_forget(it);
}

/* Runs one more iteration, after which the state has ended. */
static vks_status end_next(struct iteration *it)
{
    struct control_words *now = &it->column.end.control;
    now->limit = now->iteration + 1;
    it->batches.longest = 0;
    state_set(&it->column.state, &it->column.end);
    return resume_batches(it);
}

static vks_status cycle_iterated(struct iteration *it)
{
    struct column *c = &it->column;
    uint32_t state = c->end.control.state;
    if (state == STATE_TIMED_OUT || state == STATE_INCONSISTENT)
        fall_back_to_unfused(it);
    if (state == STATE_TIMED_OUT && !it->progress.cancelled) {
        c->end.control.state = STATE_RUNNING;
        memset(c->end.words, 0, sizeof c->end.words);
        state_set(&c->state, &c->end);
        return resume_batches(it);
    }
    if (state == STATE_RUNNING && it->method->combines_at_end)
        return end_next(it);
    if (it->refinement.is)
        TRY(refinement_gather(it));
    return measure_residual(it, cycle_measured);
}

vks_status iteration_begin(struct iteration *it)
{
    struct column *c = &it->column;
    c->resumes = false;
    c->at_start = size_of_residual(c);
    c->fruitless = 0;
    c->tightening = 1;
    return start_cycle(it);
}

vks_status iteration_resume(struct iteration *it)
{
    struct column *c = &it->column;
    if (c->end.control.state == STATE_LIMIT && !it->method->corrects)
        return resume_cycle(it);
    c->resumes = false;
    c->at_start = size_of_residual(c);
    c->report->restarts++;
    return start_cycle(it);
}
