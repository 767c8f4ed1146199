/* Cycles, each from the true residual until the recurrence indicates that the tolerance is met. Only the true
 * residual confirms that. A step submits something and names the next step. iteration_step waits for the
 * submission, or returns while it is in flight. */
#include "solvers/iterate/iterate.h"

#include <math.h>
#include <string.h>

static void note_cycle(struct iteration *it)
{
    const vks_solve_options *o = it->options;
    if (o->cycles && it->report->cycle_count < o->cycle_capacity)
        o->cycles[it->report->cycle_count++] = (vks_cycle){.iteration = it->report->iterations,
                                                           .keeps_directions = it->progress.resumes,
                                                           .true_residual = relative_residual(&it->progress)};
}

/* Limit on cycles that gain too little. */
enum { MOST_FRUITLESS = 3 };
static const double little_gain = 0.9;

static vks_status cycle_iterated(struct iteration *it);

/* Goal of the plain norm. If that already meets the tolerance, either the scaled norm does not, or there is a
 * part in the null space: the norm must then fall by the ratio that the scaled norm must, and at least by
 * half, to leave room for the part. */
static double goal_of(const struct progress *p)
{
    return p->norm > p->target ? p->target : p->norm * fmin(0.5, p->target / p->measure);
}

static vks_status start_cycle(struct iteration *it)
{
    struct progress *p = &it->progress;
    note_cycle(it);
    p->before = size_of_residual(it);
    p->normal_before = p->normal;
    p->iterations_before = it->report->iterations;
    it->krylov.broke_down = it->krylov.starts++ > 0 && p->end.control.state == STATE_BREAKDOWN;
    int exponent, most = it->limits.largest_exponent;
    frexp(p->norm, &exponent);
    exponent = exponent < -most ? -most : exponent > most ? most : exponent;
    p->ratio = p->sigma / ldexp(1, exponent);
    p->sigma = ldexp(1, exponent);
    double goal = fmax(goal_of(p) * p->tightening, p->norm * it->limits.reduction);
    set_goal(it, goal, NULL, it->report->iterations);
    uint64_t ticket = 0; /* not waited for: the batches queue behind it */
    TRY(it->residual.ops->set_hand_over(&it->residual, ldexp(1, -exponent)));
    TRY(rec_submit(p->resumes ? &it->refinement.resume : &it->start, &ticket));
    return batches_begin(it, cycle_iterated);
}

/* Fetches the history of the last cycle, and converts r . r to relative residuals. */
static vks_status fetch_history(struct iteration *it)
{
    struct progress *p = &it->progress;
    uint32_t room = it->krylov.history.n, seen = p->end.control.seen;
    uint32_t to = seen < room ? seen : room;
    if (to <= p->history_from)
        return VKS_OK;
    double *h = it->options->history + p->history_from;
    uint32_t count = to - p->history_from;
    vks_status status =
        history_read(it->device, &it->history, it->krylov.history.precision, p->history_from, count, h);
    for (uint32_t i = 0; !status && i < count; i++)
        h[i] = relative_to_b(p, sqrt(h[i]) * p->sigma);
    p->history_from = it->report->history_count = to;
    return status;
}

/* Whether the residual is at most `share` of an earlier one: in the measure or, until the plain norm meets
 * the tolerance, in the plain norm, while the scaled one may rise. */
static bool has_come_down(const struct progress *p, struct size before, double share)
{
    return p->measure <= share * before.measure ||
           (before.norm > p->target && p->norm <= share * before.norm);
}

/* Whether the residual has come down and differs: half of zero is zero, and nine tenths of a denormal number
 * may round to that number. */
static bool has_fallen(const struct progress *p, struct size before, double share)
{
    bool changes = p->measure != before.measure || p->norm != before.norm;
    return changes && has_come_down(p, before, share);
}

/* Whether the true residual fell by a tenth or, for least squares, ||A^T r|| did. */
static bool gains(const struct iteration *it)
{
    const struct progress *p = &it->progress;
    return has_fallen(p, p->before, little_gain) ||
           (it->method->least_squares && p->normal < p->normal_before &&
            p->normal <= little_gain * p->normal_before);
}

/* Tightens the goals that the method met while the tolerance is missed. */
static void tighten(struct iteration *it)
{
    struct progress *p = &it->progress;
    double share = p->target / p->measure;
    if (it->method->least_squares)
        share = fmax(share, least_goal(it) / p->normal);
    p->tightening *= fmin(0.5, fmax(1e-3, 0.3 * share));
}

/* Whether the recurrence continues with a smaller goal, because it still agrees with the true residual: a
 * restart would discard its directions. */
static bool goes_on(const struct iteration *it, double recurrence)
{
    const struct progress *p = &it->progress;
    bool agrees = it->method->least_squares
                      ? gains(it)
                      : !it->method->corrects && recurrence <= p->target && p->norm <= 2 * recurrence;
    return p->end.control.state == STATE_MET && !p->cancelled && agrees &&
           it->report->iterations < it->limits.iterations;
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
    struct progress *p = &it->progress;
    double goal = recurrence * fmin(0.5, p->norm <= p->target ? p->target / p->measure : 1);
    if (it->method->least_squares) {
        tighten(it);
        goal = p->target * p->tightening;
        p->before = size_of_residual(it);
        p->normal_before = p->normal;
    }
    if (iteration_meets_plain_alone(it))
        TRY(backup_save(it));
    set_goal(it, goal, &p->end, it->report->iterations);
    return resume_batches(it);
}

static vks_status resume_cycle(struct iteration *it)
{
    const struct progress *p = &it->progress;
    set_goal(it, sqrt(p->end.numbers.stop) * p->sigma, &p->end, it->report->iterations);
    return resume_batches(it);
}

/* Rounding errors alone raise the residual of least squares, at most by this factor. */
static const double most_raised = 1.01;

/* Whether another cycle may begin from zero: at most MOST_FRUITLESS may gain little. If the method met its
 * goal but the true residual did not, later goals are tighter. */
static bool may_begin_again(struct iteration *it)
{
    struct progress *p = &it->progress;
    uint32_t state = p->end.control.state;
    bool is_lost = it->method->least_squares && !(p->norm <= most_raised * p->at_start.norm);
    p->fruitless += !gains(it);
    if (state == STATE_MET)
        tighten(it);
    return !is_lost && p->fruitless < MOST_FRUITLESS && state != STATE_NOT_FINITE &&
           state != STATE_NO_SOLUTION;
}

/* Whether the residual is low enough for another cycle, and whether that keeps directions. If a cycle of
 * inner iterations fails, a cycle without directions may follow, provided that the residual has halved since
 * the last such one, so the solve terminates. If false, the report has the reason. */
static bool one_more(struct iteration *it)
{
    struct progress *p = &it->progress;
    vks_solve_report *report = it->report;
    uint32_t state = p->end.control.state;
    bool halved = state == STATE_MET && has_fallen(p, p->before, 0.5);
    bool again = it->method->corrects || it->method->least_squares
                     ? may_begin_again(it)
                     : it->refinement.widens && state != STATE_LIMIT && has_fallen(p, p->at_start, 0.5);
    if (p->cancelled)
        report->reason = VKS_REASON_CANCELLED;
    else if ((state == STATE_MET || state == STATE_LIMIT) && !isfinite(p->norm))
        report->reason = VKS_REASON_NOT_FINITE;
    else if (!halved && !again && state != STATE_INCONSISTENT)
        report->reason = reason_of(it, state);
    else if (report->iterations >= it->limits.iterations)
        report->reason = VKS_REASON_ITERATION_LIMIT;
    else if (cancel_requested(it, p->norm))
        report->reason = VKS_REASON_CANCELLED;
    else {
        p->resumes = halved && it->refinement.widens && it->method->resume;
        return true;
    }
    return false;
}

/* Reports the method's own view of the last cycle. */
static void report_cycle(struct iteration *it)
{
    const struct progress *p = &it->progress;
    vks_solve_report *report = it->report;
    if (p->end.control.iteration > report->iterations)
        report->residual = relative_to_b(p, recurrence_of(p));
    report->iterations = p->end.control.iteration;
    double rate = it->method->contraction ? it->method->contraction(&p->end) : NAN;
    if (isfinite(rate))
        report->contraction = rate;
}

static vks_status cycles_ended(struct iteration *it)
{
    bool may_settle = it->progress.end.control.state != STATE_LIMIT && !it->progress.cancelled;
    if (may_settle && iteration_settle_at_rounding(it))
        it->progress.settled = it->report->reason == VKS_REASON_CONVERGED;
    else
        explain(it);
    return VKS_OK;
}

/* Starts the next cycle, or ends. */
static vks_status after_cycle(struct iteration *it)
{
    struct progress *p = &it->progress;
    if (!one_more(it))
        return p->end.control.state == STATE_LIMIT ? cycles_ended(it) : assess_residual(it, cycles_ended);
    it->report->restarts += !p->resumes;
    if (!p->resumes)
        p->at_start = size_of_residual(it);
    return start_cycle(it);
}

/* Called after a cycle, with its true residual. */
static vks_status cycle_measured(struct iteration *it)
{
    struct progress *p = &it->progress;
    double recurrence = recurrence_of(p);
    report_cycle(it);
    p->settled = iteration_is_solved(it);
    if (!p->settled && goes_on(it, recurrence))
        return go_on(it, recurrence);
    TRY(fetch_history(it));
    if (p->settled)
        return VKS_OK;
    bool worse = it->method->corrects && !has_come_down(p, p->before, 1);
    return worse ? backup_restore(it, after_cycle) : after_cycle(it);
}

/* Falls back after workgroups of one dispatch timed out: the solve continues with a dispatch for each step,
 * from the current point or, after STATE_INCONSISTENT, from a new true residual. */
static void fall_back_to_unfused(struct iteration *it)
{
    it->method->fused->missed(&it->krylov);
    it->report->together = it->batches.groups = 0;
    batches_forget(it);
}

/* Runs one more iteration, after which the state has ended. */
static vks_status end_next(struct iteration *it)
{
    struct control_words *now = &it->progress.end.control;
    now->limit = now->iteration + 1;
    it->batches.longest = 0;
    state_set(&it->state, &it->progress.end);
    return resume_batches(it);
}

static vks_status cycle_iterated(struct iteration *it)
{
    struct progress *p = &it->progress;
    uint32_t state = p->end.control.state;
    if (state == STATE_TIMED_OUT || state == STATE_INCONSISTENT)
        fall_back_to_unfused(it);
    if (state == STATE_TIMED_OUT && !p->cancelled) {
        p->end.control.state = STATE_RUNNING;
        memset(p->end.words, 0, sizeof p->end.words);
        state_set(&it->state, &p->end);
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
    struct progress *p = &it->progress;
    p->resumes = false;
    p->at_start = size_of_residual(it);
    p->fruitless = 0;
    p->tightening = 1;
    return start_cycle(it);
}

vks_status iteration_resume(struct iteration *it)
{
    struct progress *p = &it->progress;
    if (p->end.control.state == STATE_LIMIT && !it->method->corrects)
        return resume_cycle(it);
    p->resumes = false;
    p->at_start = size_of_residual(it);
    it->report->restarts++;
    return start_cycle(it);
}
