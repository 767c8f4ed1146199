/* Cycles, each from the true residual until the recurrence says that the tolerance is met. Only the true
 * residual can confirm that. A step submits something and names the step that follows. solve_advance waits
 * for the submission, or returns while it is under way. */
#include "report/clock.h"
#include "solvers/run/run.h"

#include <math.h>
#include <string.h>

void set_goal(struct solve *s, double goal, const struct snapshot *now, uint32_t iteration)
{
    const struct progress *p = &s->progress;
    struct snapshot to = {0};
    double scaled = goal / p->sigma;
    if (now)
        to = *now;
    else if (s->method->numbers_at_start)
        s->method->numbers_at_start(&s->krylov, to.method);
    if (!now && s->method->corrects)
        to.numbers.rr = (p->norm / p->sigma) * (p->norm / p->sigma);
    to.control = (struct control_words){.state = STATE_RUNNING,
                                        .iteration = iteration,
                                        .limit = attempts_limit(s),
                                        .seen = p->end.control.seen};
    memset(to.words, 0, sizeof to.words);
    to.numbers.stop = scaled * scaled;
    to.numbers.ceiling = DIVERGENCE * DIVERGENCE;
    to.numbers.scale = s->outer.is ? 1 : p->sigma;
    to.numbers.ratio = p->ratio;
    if (s->method->least_squares)
        to.method[NORMAL_GOAL] = least_goal(s) * p->tightening;
    state_set(&s->state, &to);
}

static void note_cycle(struct solve *s)
{
    const vks_solve_options *o = &s->options;
    if (o->cycles && s->report->cycle_count < o->cycle_capacity)
        o->cycles[s->report->cycle_count++] = (vks_cycle){.iteration = s->report->iterations,
                                                          .keeps_directions = s->progress.resumes,
                                                          .true_residual = relative_residual(&s->progress)};
}

/* Cycles of an attempt that may leave more than this share of the residual. */
enum { MOST_FRUITLESS = 3 };
static const double little_gain = 0.9;

static vks_status cycle_iterated(struct solve *s);

vks_status start_cycle(struct solve *s)
{
    struct progress *p = &s->progress;
    note_cycle(s);
    p->norm_before = p->norm;
    p->normal_before = p->normal;
    p->iterations_before = s->report->iterations;
    s->krylov.starts++;
    int exponent, most = s->limits.largest_exponent;
    frexp(p->norm, &exponent);
    exponent = exponent < -most ? -most : exponent > most ? most : exponent;
    p->ratio = p->sigma / ldexp(1, exponent);
    p->sigma = ldexp(1, exponent);
    double goal = p->norm > p->target ? p->target : p->norm / 2; /* room for the part in the null space */
    goal = fmax(goal * p->tightening, p->norm * s->limits.reduction);
    set_goal(s, goal, NULL, s->report->iterations);
    vks_status status = s->residual.ops->set_hand_over(&s->residual, ldexp(1, -exponent));
    uint64_t ticket = 0; /* the batches queue up behind it */
    if (!status)
        status = rec_submit(p->resumes ? &s->outer.resume : &s->start, &ticket);
    return status ? status : batches_begin(s, cycle_iterated);
}

/* Fetches the history of the cycle that has ended and turns r . r into relative residuals. */
static vks_status fetch_history(struct solve *s)
{
    struct progress *p = &s->progress;
    uint32_t room = s->krylov.history.n, seen = p->end.control.seen;
    uint32_t to = seen < room ? seen : room;
    if (to <= p->history_from)
        return VKS_OK;
    double *h = s->options.history + p->history_from;
    uint32_t count = to - p->history_from;
    vks_status status =
        history_read(s->device, &s->history, s->krylov.history.precision, p->history_from, count, h);
    for (uint32_t i = 0; !status && i < count; i++)
        h[i] = sqrt(h[i]) * p->sigma / p->b_norm;
    p->history_from = s->report->history_count = to;
    return status;
}

/* Nine tenths of a denormal number may be the number. */
static bool has_fallen(double now, double before)
{
    return now < before && now <= little_gain * before;
}

/* Whether the true residual has lost a tenth, or that of least squares has. */
static bool gains(const struct solve *s)
{
    const struct progress *p = &s->progress;
    return has_fallen(p->norm, p->norm_before) ||
           (s->method->least_squares && has_fallen(p->normal, p->normal_before));
}

/* The goals of the method, which it has met, where the tolerance is missed. */
static void tighten(struct solve *s)
{
    struct progress *p = &s->progress;
    double share = p->target / p->norm;
    if (s->method->least_squares)
        share = fmax(share, least_goal(s) / p->normal);
    p->tightening *= fmin(0.5, fmax(1e-3, 0.3 * share));
}

/* Where the recurrence and the true residual still agree, the recurrence goes on with a smaller goal: a
 * restart would throw its directions away. */
static bool goes_on(const struct solve *s, double recurrence)
{
    const struct progress *p = &s->progress;
    bool agrees = s->method->least_squares
                      ? gains(s)
                      : !s->method->corrects && recurrence <= p->target && p->norm <= 2 * recurrence;
    return p->end.control.state == STATE_MET && !p->cancelled && agrees &&
           s->report->iterations < attempts_limit(s);
}

/* Goes on iterating from where it is, with the state in the inbox. */
static vks_status resume_batches(struct solve *s)
{
    uint64_t ticket;
    vks_status status = rec_submit(&s->put, &ticket);
    return status ? status : batches_begin(s, cycle_iterated);
}

/* With smaller goals. */
static vks_status go_on(struct solve *s, double recurrence)
{
    struct progress *p = &s->progress;
    double goal = recurrence / 2;
    if (s->method->least_squares) {
        tighten(s);
        goal = p->target * p->tightening;
        p->norm_before = p->norm;
        p->normal_before = p->normal;
    }
    set_goal(s, goal, &p->end, s->report->iterations);
    return resume_batches(s);
}

vks_status resume_cycle(struct solve *s)
{
    const struct progress *p = &s->progress;
    set_goal(s, sqrt(p->end.numbers.stop) * p->sigma, &p->end, s->report->iterations);
    return resume_batches(s);
}

vks_status has_ended(struct solve *s)
{
    s->report->seconds_solve = clock_seconds() - s->progress.begun;
    s->progress.next = NULL;
    return VKS_OK;
}

/* The true residual in double precision, where the last one may have been less exact. */
static vks_status confirm(struct solve *s)
{
    double norm = 0, b_norm = s->progress.b_norm;
    if (!s->residual.ops->confirm || s->report->reason == VKS_REASON_CONVERGED)
        return VKS_OK;
    vks_status status = s->residual.ops->confirm(&s->residual, &norm);
    s->report->true_residual = b_norm != 0 ? norm / b_norm : 0;
    return status;
}

vks_status solve_ended(struct solve *s)
{
    uint64_t ticket;
    vks_status status = partners_end(&s->partners);
    if (status || !s->hand_back)
        return status ? status : has_ended(s);
    status = rec_submit(s->hand_back, &ticket);
    return status ? status : await(s, ticket, has_ended);
}

static vks_status end_attempt(struct solve *s)
{
    s->batches.expected = s->report->iterations;
    vks_status status = confirm(s);
    attempts_note(s);
    if (status)
        return status;
    judge_precond(s);
    return chain_goes_on(s) ? chain_next(s) : chain_end(s);
}

static vks_status best_is_back(struct solve *s)
{
    vks_status status = take_norms(s);
    s->report->true_residual = relative_residual(&s->progress);
    return status ? status : end_attempt(s);
}

vks_status end_solve(struct solve *s)
{
    const struct progress *p = &s->progress;
    bool worse = isfinite(p->norm_at_start) && !(p->norm <= p->norm_at_start);
    bool returns = best_is_kept_to_the_end(s) && s->report->reason != VKS_REASON_CONVERGED;
    return returns && worse ? best_restore(s, best_is_back) : end_attempt(s);
}

/* Whether a method that begins anew may try again: at most so many of its cycles gain little. Where it has
 * met its goal and the true residual has not, the goals of the next ones are tighter. */
static bool begins_anew(struct solve *s)
{
    struct progress *p = &s->progress;
    uint32_t state = p->end.control.state;
    p->fruitless += !gains(s);
    if (state == STATE_MET)
        tighten(s);
    return p->fruitless < MOST_FRUITLESS && state != STATE_NOT_FINITE;
}

/* Whether the residual is low enough for another cycle, and whether that resumes. If a cycle of inner
 * iterations fails, a cycle without the directions may follow. The residual must have been halved since the
 * last such one, so that the solve ends. Otherwise the reason is in the report. */
static bool one_more(struct solve *s)
{
    struct progress *p = &s->progress;
    vks_solve_report *report = s->report;
    uint32_t state = p->end.control.state;
    bool halved = state == STATE_MET && p->norm <= p->norm_before / 2;
    bool again = s->method->corrects || s->method->least_squares
                     ? begins_anew(s)
                     : s->outer.widens && state != STATE_LIMIT && p->norm <= p->norm_at_start / 2;
    if (p->cancelled)
        report->reason = VKS_REASON_CANCELLED;
    else if ((state == STATE_MET || state == STATE_LIMIT) && !isfinite(p->norm))
        report->reason = VKS_REASON_NOT_FINITE;
    else if (!halved && !again && state != STATE_ASTRAY)
        report->reason = reason_of(s, state);
    else if (report->iterations >= attempts_limit(s))
        report->reason = VKS_REASON_ITERATION_LIMIT;
    else if (wants_cancel(s, p->norm))
        report->reason = VKS_REASON_CANCELLED;
    else {
        p->resumes = halved && s->outer.widens && s->method->resume;
        return true;
    }
    return false;
}

vks_status take_norms(struct solve *s)
{
    struct progress *p = &s->progress;
    vks_status status = s->residual.ops->norm(&s->residual, p->target, &p->norm);
    p->part = residual_part_of_image(&s->residual);
    if (!status && s->method->least_squares)
        status = residual_normal(&s->residual, p->norm, &p->normal);
    s->report->normal_residual = s->method->least_squares ? p->normal : NAN;
    return status;
}

/* The method's own view of the cycle that has ended, into the report. */
static void report_cycle(struct solve *s)
{
    const struct progress *p = &s->progress;
    vks_solve_report *report = s->report;
    if (p->end.control.iteration > report->iterations)
        report->residual = recurrence_of(p) / p->b_norm;
    report->iterations = p->end.control.iteration;
    double rate = s->method->contraction ? s->method->contraction(&p->end) : NAN;
    if (isfinite(rate))
        report->contraction = rate;
}

/* The next cycle, or the next attempt, or the end. */
static vks_status cycle_judged(struct solve *s)
{
    struct progress *p = &s->progress;
    s->report->true_residual = relative_residual(p);
    if (!one_more(s)) {
        explain(s);
        return attempts_go_on(s);
    }
    s->report->restarts += !p->resumes;
    if (!p->resumes)
        p->norm_at_start = p->norm;
    return start_cycle(s);
}

/* The x before the cycle is back. */
static vks_status cycle_restored(struct solve *s)
{
    vks_status status = take_norms(s);
    return status ? status : cycle_judged(s);
}

/* A cycle has ended, and the true residual is there. */
static vks_status cycle_measured(struct solve *s)
{
    struct progress *p = &s->progress;
    vks_solve_report *report = s->report;
    vks_status status = take_norms(s);
    if (status)
        return status;
    double recurrence = recurrence_of(p);
    report_cycle(s);
    bool settled = settle(s);
    if (!settled && goes_on(s, recurrence))
        return go_on(s, recurrence);
    status = fetch_history(s);
    report->true_residual = relative_residual(p);
    if (status || settled)
        return status ? status : end_solve(s);
    bool worse = s->method->corrects && !(p->norm <= p->norm_before);
    return worse ? best_restore(s, cycle_restored) : cycle_judged(s);
}

/* Workgroups that were to iterate in one dispatch timed out: the solve goes on with a dispatch for each step,
 * from where it is or, after STATE_ASTRAY, from a new true residual. */
static void part(struct solve *s)
{
    s->method->fused->missed(&s->krylov);
    s->report->together = s->batches.groups = 0;
    batches_forget(s);
}

vks_status measure_residual(struct solve *s, uint64_t *ticket)
{
    vks_status status = s->residual.ops->measure(&s->residual, 1 / s->progress.sigma, ticket);
    return status || !s->method->least_squares ? status : residual_measure_normal(&s->residual, ticket);
}

/* One iteration more, after which the state has ended. */
static vks_status end_next(struct solve *s)
{
    struct control_words *now = &s->progress.end.control;
    now->limit = now->iteration + 1;
    s->batches.longest = 0;
    state_set(&s->state, &s->progress.end);
    return resume_batches(s);
}

static vks_status cycle_iterated(struct solve *s)
{
    struct progress *p = &s->progress;
    uint32_t state = p->end.control.state;
    if (state == STATE_ALONE || state == STATE_ASTRAY)
        part(s);
    if (state == STATE_ALONE && !p->cancelled) {
        p->end.control.state = STATE_RUNNING;
        memset(p->end.words, 0, sizeof p->end.words);
        state_set(&s->state, &p->end);
        return resume_batches(s);
    }
    if (state == STATE_RUNNING && s->method->combines_at_end)
        return end_next(s);
    uint64_t ticket = 0;
    vks_status status = s->outer.is ? outer_gather(s) : VKS_OK;
    if (!status)
        status = measure_residual(s, &ticket);
    return status ? status : await(s, ticket, cycle_measured);
}

vks_status solve_judge(struct solve *s, vks_status status)
{
    if (status) {
        s->progress.next = NULL;
        batches_settle(s);
        partners_leave(&s->partners, status);
    }
    return status;
}

vks_status solve_advance(struct solve *s, double seconds)
{
    struct progress *p = &s->progress;
    double until = clock_seconds() + seconds;
    vks_status status = VKS_OK;
    while (p->next && !status) {
        double left = fmax(until - clock_seconds(), 0);
        bool patient = left >= DEVICE_WAIT_SECONDS;
        status = device_wait(s->device, p->awaited, patient ? DEVICE_WAIT_SECONDS : left);
        if (status == VKS_TIMEOUT && !patient) { /* it is under way */
            s->message->text[0] = 0;
            return VKS_OK;
        }
        if (!status)
            status = p->next(s);
        if (s->device->info.works_at_submission && clock_seconds() >= until)
            break;
    }
    return solve_judge(s, status);
}
