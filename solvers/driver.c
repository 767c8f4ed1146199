/* The course of a solve: cycles, each from the true residual until the recurrence says that the tolerance is
 * met, which only the true residual can confirm. It goes from one submission to the next: solve_advance waits
 * for what the last step has submitted, or returns while it is under way, and makes the step that follows. */
#include "report/clock.h"
#include "solvers/solver.h"
#include "solvers/together.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A cycle asks the recurrence for no more than this: beyond it, rounding errors lead it astray. */
static const double cycle_reduction[PRECISIONS] = {1e-5, 1e-13, 1e-13};
/* With iterations in f32 for an x in f64: what costs fewest iterations in all (docs/solvers.md). */
static const double refined_reduction = 0.1;
/* Of the tolerance: up to this, the part of A x in the null space is taken for rounding. The rest of the
 * residual then makes room for it. */
static const double rounding_share = 0.1;
/* The exponents of the powers of two by which the residual is divided: they and their inverses must be
 * ordinary. */
static const int largest_exponent[PRECISIONS] = {100, 1000, 1000};

/* Will let the recurrence run until its residual is `goal`: from the numbers of `now`, or from none at all
 * (NULL). */
static void set_goal(struct solve *s, double goal, const struct snapshot *now, uint32_t iteration)
{
    const struct course *c = &s->course;
    struct control_words control = {
        .state = STATE_RUNNING, .iteration = iteration, .limit = s->options.max_iterations};
    double number[NUMBERS] = {0}, scaled = goal / c->sigma;
    if (now)
        memcpy(number, now->number, sizeof number);
    number[NUMBER_STOP] = scaled * scaled;
    number[NUMBER_CEILING] = DIVERGENCE * DIVERGENCE;
    number[NUMBER_SCALE] = s->refinement.is ? 1 : c->sigma;
    number[NUMBER_WEIGHT] = s->weight;
    if (s->refinement.is)
        number[NUMBER_KEPT] = c->kept;
    solve_state(s, &control, number);
}

/* The norm of b - A x, once b has left out what it has in the null space. */
static double whole_norm(const struct course *c)
{
    return hypot(c->norm, c->part);
}

/* Over the norm of b; 0 for 0 / 0. */
static double relative_residual(const struct course *c)
{
    double norm = whole_norm(c);
    return norm == 0 ? 0 : norm / c->b_norm;
}

static void note_cycle(struct solve *s)
{
    const vks_solve_options *o = &s->options;
    const struct course *c = &s->course;
    vks_cycle cycle = {.iteration = s->report->iterations,
                       .keeps_directions = c->resumes,
                       .true_residual = relative_residual(c)};
    size_t stride = o->cycle_stride ? o->cycle_stride : sizeof cycle;
    if (o->cycles && s->report->cycle_count < o->cycle_capacity)
        memcpy((char *)o->cycles + stride * s->report->cycle_count++, &cycle,
               stride < sizeof cycle ? stride : sizeof cycle);
}

/* Starts the method from the true residual; or resumes it, keeping its directions. */
static vks_status start_cycle(struct solve *s)
{
    struct course *c = &s->course;
    note_cycle(s);
    c->norm_before = c->norm;
    c->iterations_before = s->report->iterations;
    int exponent;
    frexp(c->norm, &exponent);
    int most = largest_exponent[s->pairs.is ? PRECISION_F32 : s->given];
    exponent = exponent < -most ? -most : exponent > most ? most : exponent;
    c->kept = c->sigma / ldexp(1, exponent);
    c->sigma = ldexp(1, exponent);
    double reduction = s->refinement.is ? refined_reduction : cycle_reduction[s->precision];
    double goal = c->norm > c->target ? c->target : c->norm / 2; /* room for the part in the null space */
    set_goal(s, fmax(goal, c->norm * reduction), NULL, s->report->iterations);
    vks_status status = residual_hand_over(s, ldexp(1, -exponent));
    uint64_t ticket = 0; /* the batches queue up behind it */
    if (!status)
        status = rec_submit(c->resumes ? &s->refinement.resume : &s->start, &ticket);
    return status ? status : batches_begin(s);
}

/* Residuals that a method has looked at until then; those of a sweep that was cancelled lie ahead. */
static uint32_t residuals_seen(const struct solve *s, const struct snapshot *end)
{
    uint32_t k = end->control.iteration, steps = s->method->steps;
    return steps == 1 ? k : (k - end->control.pending + steps - 1) / steps;
}

/* Fetches the history of the cycle that has ended and turns r . r into relative residuals. */
static vks_status fetch_history(struct solve *s)
{
    uint32_t kept = s->workspace.history_kept, seen = residuals_seen(s, &s->course.end);
    uint32_t to = seen < kept ? seen : kept;
    struct course *c = &s->course;
    if (to <= c->history_from)
        return VKS_OK;
    double *h = s->options.history + c->history_from;
    uint32_t count = to - c->history_from;
    vks_status status = download_values(s->device, &s->history, public_precision(s->precision),
                                        c->history_from, count, VKS_F64, h);
    for (uint32_t i = 0; !status && i < count; i++)
        h[i] = sqrt(h[i]) * c->sigma / c->b_norm;
    c->history_from = s->report->history_count = to;
    return status;
}

double recurrence_of(const struct course *c)
{
    return sqrt(c->end.number[NUMBER_RR]) * c->sigma;
}

bool wants_cancel(struct solve *s, double residual)
{
    const struct course *c = &s->course;
    if (!s->options.progress)
        return false;
    vks_progress p = {.iteration = c->end.control.iteration,
                      .residual = residual / c->b_norm,
                      .target = c->target / c->b_norm,
                      .seconds = clock_seconds() - c->begun};
    return s->options.progress(s->options.user, &p) != 0;
}

/* Where the recurrence and the true residual still agree, the recurrence goes on with a smaller goal: a
 * restart would throw its directions away. */
static bool goes_on(const struct solve *s, double recurrence)
{
    const struct course *c = &s->course;
    return c->end.control.state == STATE_MET && !c->cancelled && recurrence <= c->target &&
           c->norm <= 2 * recurrence && s->report->iterations < s->options.max_iterations;
}

/* Goes on iterating from where it is, with the state in the inbox. */
static vks_status resume_batches(struct solve *s)
{
    uint64_t ticket;
    vks_status status = rec_submit(&s->put, &ticket);
    return status ? status : batches_begin(s);
}

static vks_status has_ended(struct solve *s)
{
    s->report->seconds_solve = clock_seconds() - s->course.begun;
    s->course.next = NULL;
    return VKS_OK;
}

static vks_status end_solve(struct solve *s)
{
    s->expected = s->report->iterations;
    vks_status told = s->pairs.is ? pairs_tell(s) : VKS_OK;
    if (told || !s->hand_back)
        return told ? told : has_ended(s);
    uint64_t ticket;
    vks_status status = rec_submit(s->hand_back, &ticket);
    return status ? status : await(s, ticket, has_ended);
}

/* Whether the residual is low enough that a cycle more is worth it, and whether it resumes. With iterations
 * in f32 a cycle that fails may be followed by one without the directions; but the residual must have been
 * halved since the last such one, lest it never end. Else the reason is in the report. */
static bool one_more(struct solve *s)
{
    struct course *c = &s->course;
    vks_solve_report *report = s->report;
    uint32_t state = c->end.control.state;
    bool halved = state == STATE_MET && c->norm <= c->norm_before / 2;
    bool again = s->refinement.is && state != STATE_LIMIT && c->norm <= c->norm_at_start / 2;
    if (c->cancelled)
        report->reason = VKS_REASON_CANCELLED;
    else if (state == STATE_MET && !isfinite(c->norm))
        report->reason = VKS_REASON_NOT_FINITE;
    else if (!halved && !again && state != STATE_ASTRAY)
        report->reason = reason_of(s, state);
    else if (report->iterations >= s->options.max_iterations)
        report->reason = VKS_REASON_ITERATION_LIMIT;
    else if (wants_cancel(s, c->norm))
        report->reason = VKS_REASON_CANCELLED;
    else {
        c->resumes = halved && s->refinement.is;
        return true;
    }
    return false;
}

static vks_status take_norms(struct solve *s)
{
    vks_status status = residual_norm(s, &s->course.norm);
    s->course.part = null_space_part_of_image(s);
    return status;
}

/* Whether the tolerance is met; or is by all that iterations can lower, while A x has a part in the null
 * space that is more than rounding. Puts the reason in the report then, whatever the preconditioner. */
static bool settle(const struct solve *s)
{
    const struct course *c = &s->course;
    bool met = whole_norm(c) <= c->target;
    if (!met && !(c->norm <= c->target && !(c->part <= rounding_share * c->target)))
        return false;
    s->report->reason = VKS_REASON_CONVERGED;
    s->report->detail[0] = 0;
    s->report->row = UINT32_MAX;
    if (!met)
        tell_not_singular(s);
    return true;
}

/* A cycle has ended, and the true residual is there. */
static vks_status cycle_measured(struct solve *s)
{
    struct course *c = &s->course;
    vks_solve_report *report = s->report;
    vks_status status = take_norms(s);
    if (status)
        return status;
    double recurrence = recurrence_of(c);
    if (c->end.control.iteration > report->iterations)
        report->residual = recurrence / c->b_norm;
    report->iterations = c->end.control.iteration;
    if (s->method->contraction && isfinite(s->method->contraction(&c->end)))
        report->contraction = s->method->contraction(&c->end);
    bool settled = settle(s);
    if (!settled && goes_on(s, recurrence)) {
        set_goal(s, recurrence / 2, &c->end, report->iterations);
        return resume_batches(s);
    }
    status = fetch_history(s);
    if (status)
        return status;
    report->true_residual = relative_residual(c);
    if (settled)
        return end_solve(s);
    if (!one_more(s)) {
        explain(s);
        return end_solve(s);
    }
    report->restarts += !c->resumes;
    if (!c->resumes)
        c->norm_at_start = c->norm;
    return start_cycle(s);
}

/* Where workgroups that were to iterate together have not met, the solve goes on with a dispatch for each
 * step: from where it is, or, gone astray, from a new true residual. */
static void part(struct solve *s)
{
    meetings_missed(s->meetings, s->workspace.groups);
    s->report->together = s->workspace.groups = 0;
    batches_forget(s);
}

vks_status cycle_iterated(struct solve *s)
{
    struct course *c = &s->course;
    uint32_t state = c->end.control.state;
    if (state == STATE_ALONE || state == STATE_ASTRAY)
        part(s);
    if (state == STATE_ALONE && !c->cancelled) {
        struct control_words control = c->end.control;
        control.state = STATE_RUNNING;
        solve_state(s, &control, c->end.number);
        return resume_batches(s);
    }
    uint64_t ticket = 0;
    vks_status status = s->refinement.is ? refinement_gather(s) : VKS_OK;
    if (!status)
        status = residual_measure(s, &ticket);
    return status ? status : await(s, ticket, cycle_measured);
}

/* The first true residual is there. */
static vks_status first_cycle(struct solve *s)
{
    struct course *c = &s->course;
    vks_solve_report *report = s->report;
    report->initial_residual = report->residual = report->true_residual = relative_residual(c);
    if (isfinite(c->b_norm) && settle(s))
        return end_solve(s);
    bool finite = isfinite(c->norm) && isfinite(c->b_norm);
    if (s->refused && (finite || report->reason == VKS_REASON_NOT_FINITE)) {
        add_f32(s);
        return end_solve(s);
    }
    if (!finite) { /* (whatever else a preconditioner may have made of it) */
        report->reason = VKS_REASON_NOT_FINITE;
        report->row = UINT32_MAX;
        snprintf(report->detail, sizeof report->detail, "%s not finite from the start",
                 isfinite(c->b_norm) ? "b - A x is" : "the norm of b is");
        return end_solve(s);
    }
    c->norm_at_start = c->norm;
    return start_cycle(s);
}

/* What b has in the null space of A. Where it has little else, it has nothing else: that is rounding. One
 * that has left the range of doubles says nothing: the norm of b is then not finite either. */
static void leave_out_part(struct solve *s)
{
    struct course *c = &s->course;
    double part = residual_part_of_b(s), rounding = 1e-14 * part;
    if (part == 0 || !isfinite(part))
        return;
    if (c->b_norm <= rounding)
        c->b_norm = 0;
    s->report->null_component = part / hypot(part, c->b_norm);
    if (part > fmax(s->options.rtol * c->b_norm, s->options.atol))
        snprintf(
            s->report->warning, sizeof s->report->warning,
            "A x = b has no solution: the part of b in the null space of A is %.3g times b; it was left out",
            s->report->null_component);
}

/* b = 0 has the solution 0, which is x now, unless A is not finite. (What is left of a b that was in the null
 * space is rounding.) */
static vks_status zero_measured(struct solve *s)
{
    struct course *c = &s->course;
    vks_status status = take_norms(s);
    if (isfinite(c->norm))
        c->norm = c->part = 0;
    return status ? status : first_cycle(s);
}

static vks_status first_measured(struct solve *s)
{
    struct course *c = &s->course;
    uint64_t ticket;
    vks_status status = residual_norm_of_b(s, &c->b_norm);
    if (!status && s->null_space.count)
        leave_out_part(s);
    c->target = fmax(s->options.rtol * c->b_norm, s->options.atol);
    if (!status)
        status = take_norms(s);
    if (status || c->b_norm != 0)
        return status ? status : first_cycle(s);
    status = rec_submit(&s->clear, &ticket);
    if (!status)
        status = residual_measure(s, &ticket);
    return status ? status : await(s, ticket, zero_measured);
}

static vks_status first_step(struct solve *s)
{
    uint64_t ticket = 0;
    set_goal(s, 0, NULL, 0);
    vks_status status = s->options.zero_guess ? rec_submit(&s->clear, &ticket) : VKS_OK;
    if (!status)
        status = residual_measure_b(s, &ticket);
    if (!status)
        status = residual_measure(s, &ticket);
    return status ? status : await(s, ticket, first_measured);
}

/* A failure ends the solve, once nothing of it is under way. */
static vks_status judge(struct solve *s, vks_status status)
{
    if (status) {
        s->course.next = NULL;
        batches_settle(s);
    }
    return status;
}

vks_status solve_begin(struct solve *s)
{
    s->course = (struct course){.begun = clock_seconds(), .sigma = 1};
    return judge(s, first_step(s));
}

vks_status solve_advance(struct solve *s, double seconds)
{
    struct course *c = &s->course;
    double until = clock_seconds() + seconds;
    bool at_once = s->device->info.kind == DEVICE_HOST; /* a step is its work */
    vks_status status = VKS_OK;
    while (c->next && !status) {
        double left = fmax(until - clock_seconds(), 0);
        bool patient = left >= DEVICE_WAIT_SECONDS;
        status = device_wait(s->device, c->awaited, patient ? DEVICE_WAIT_SECONDS : left);
        if (status == VKS_TIMEOUT && !patient) { /* it is under way */
            s->message->text[0] = 0;
            return VKS_OK;
        }
        if (!status)
            status = c->next(s);
        if (at_once && clock_seconds() >= until)
            break;
    }
    return judge(s, status);
}
