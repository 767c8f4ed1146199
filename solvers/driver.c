/* The course of a solve: cycles, each from the true residual until the recurrence says that the tolerance is
 * met, which only the true residual can confirm. */
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
/* The exponents of the powers of two by which the residual is divided: they and their inverses must be
 * ordinary. */
static const int largest_exponent[PRECISIONS] = {100, 1000, 1000};
/* Growth of the residual that counts as divergence. In exact arithmetic conjugate gradients stay below the
 * root of the condition number. */
static const double divergence = 1e10;

/* Will let the recurrence run until its residual is `goal`: from the numbers of `now`, or from none at all
 * (NULL). */
static void set_goal(struct solve *s, double goal, const struct snapshot *now, uint32_t iteration)
{
    struct control_words control = {
        .state = STATE_RUNNING, .iteration = iteration, .limit = s->options.max_iterations};
    double number[NUMBERS] = {0}, scaled = goal / s->sigma;
    if (now)
        memcpy(number, now->number, sizeof number);
    number[NUMBER_STOP] = scaled * scaled;
    number[NUMBER_CEILING] = divergence * divergence;
    number[NUMBER_SCALE] = s->refinement.is ? 1 : s->sigma;
    number[NUMBER_WEIGHT] = s->weight;
    if (s->refinement.is)
        number[NUMBER_KEPT] = s->kept;
    solve_state(s, &control, number);
}

/* Starts the method from the true residual, whose norm is given; or resumes it, keeping its directions. */
static vks_status start_cycle(struct solve *s, double norm, uint32_t iteration, bool resumes)
{
    int exponent;
    frexp(norm, &exponent);
    int most = largest_exponent[s->given];
    exponent = exponent < -most ? -most : exponent > most ? most : exponent;
    s->kept = s->sigma / ldexp(1, exponent);
    s->sigma = ldexp(1, exponent);
    double reduction = s->refinement.is ? refined_reduction : cycle_reduction[s->precision];
    set_goal(s, fmax(s->target, norm * reduction), NULL, iteration);
    vks_status status = residual_hand_over(s, ldexp(1, -exponent));
    uint64_t ticket = 0; /* the batches queue up behind it */
    return status ? status : rec_submit(resumes ? &s->refinement.resume : &s->start, &ticket);
}

/* Residuals that a method has looked at until then; those of a sweep that was cancelled lie ahead. */
static uint32_t residuals_seen(const struct solve *s, const struct snapshot *end)
{
    uint32_t k = end->control.iteration, steps = s->method->steps;
    return steps == 1 ? k : (k - end->control.pending + steps - 1) / steps;
}

/* Fetches the history of the cycle that has ended and turns r . r into relative residuals. */
static vks_status fetch_history(struct solve *s, uint32_t seen)
{
    uint32_t kept = s->workspace.history_kept, to = seen < kept ? seen : kept;
    if (to <= s->history_from)
        return VKS_OK;
    double *h = s->options.history + s->history_from;
    uint32_t count = to - s->history_from;
    vks_status status = download_values(s->device, &s->history, public_precision(s->precision),
                                        s->history_from, count, VKS_F64, h);
    for (uint32_t i = 0; !status && i < count; i++)
        h[i] = sqrt(h[i]) * s->sigma / s->b_norm;
    s->history_from = s->report->history_count = to;
    return status;
}

/* In f32 a p.Ap that is not positive says little of A once the residual has been lowered. */
static vks_reason reason_of(const struct solve *s, uint32_t state)
{
    bool lowered = s->report->true_residual <= s->report->initial_residual / 2;
    if (s->refinement.is && lowered && state == STATE_NOT_POSITIVE)
        return VKS_REASON_STAGNATED;
    switch (state) {
    case STATE_LIMIT:
        return VKS_REASON_ITERATION_LIMIT;
    case STATE_NOT_POSITIVE:
        return VKS_REASON_NOT_POSITIVE_DEFINITE;
    case STATE_NOT_FINITE:
        return VKS_REASON_NOT_FINITE;
    case STATE_DIVERGED:
        return VKS_REASON_DIVERGED;
    default:
        return VKS_REASON_STAGNATED;
    }
}

/* The end of a method that knows by what an iteration multiplies the residual, which is `norm` now. */
static void explain_rate(const struct solve *s, const struct snapshot *end, double norm)
{
    vks_solve_report *report = s->report;
    uint32_t k = end->control.iteration;
    double rate = report->contraction, left = log(s->target / norm) / log(rate);
    char *text = report->detail;
    size_t room = sizeof report->detail;
    if (!isfinite(end->number[NUMBER_RR]))
        snprintf(text, room, "the residual left the range of its precision in the %u iterations before %u",
                 s->method->steps, k);
    else if (report->reason == VKS_REASON_DIVERGED)
        snprintf(text, room, "the residual grows by %.6g an iteration", rate);
    else if (report->reason == VKS_REASON_STAGNATED)
        snprintf(text, room, "an iteration multiplies the residual by %.6g, no longer by less", rate);
    else if (report->reason == VKS_REASON_ITERATION_LIMIT && rate < 1 && s->target > 0)
        snprintf(text, room, "an iteration multiplies the residual by %.6g: about %.0f would be needed", rate,
                 k + ceil(left));
    else if (report->reason == VKS_REASON_ITERATION_LIMIT && !isnan(rate))
        snprintf(text, room, "an iteration multiplies the residual by %.6g", rate);
}

/* What there is to tell is about f32, where f64 was given. */
static void add_f32(const struct solve *s)
{
    size_t used = strlen(s->report->detail);
    if (used && s->refinement.is)
        snprintf(s->report->detail + used, sizeof s->report->detail - used, ", in f32");
}

/* `before`: the iterations that were done when the last cycle began. */
static void explain(const struct solve *s, const struct snapshot *end, double norm, uint32_t before)
{
    vks_solve_report *report = s->report;
    uint32_t k = end->control.iteration;
    double pq = end->number[NUMBER_PQ], rho = end->number[NUMBER_RHO];
    bool not_positive = end->control.state == STATE_NOT_POSITIVE;
    char *text = report->detail;
    if (s->method->contraction)
        explain_rate(s, end, norm);
    else if (not_positive && rho < 0)
        snprintf(text, sizeof report->detail, "r.z = %.3e in iteration %u", rho, k);
    else if (not_positive)
        snprintf(text, sizeof report->detail, "p.Ap = %.3e in iteration %u", pq, k + 1);
    else if (report->reason == VKS_REASON_NOT_FINITE)
        snprintf(text, sizeof report->detail, "a NaN or an infinity appeared in iteration %u",
                 pq > 0 && isfinite(pq) ? k : k + 1);
    else if (report->reason == VKS_REASON_DIVERGED)
        snprintf(text, sizeof report->detail, "the residual grew by more than %.0e until iteration %u",
                 divergence, k);
    else if (report->reason == VKS_REASON_STAGNATED && s->refinement.is)
        snprintf(text, sizeof report->detail, "%u iterations more do not halve the residual", k - before);
    add_f32(s);
}

/* Where the recurrence and the true residual still agree, the recurrence goes on with a smaller goal: a
 * restart would throw its directions away. */
static bool goes_on(const struct solve *s, double recurrence, double norm)
{
    return norm > s->target && recurrence <= s->target && norm <= 2 * recurrence &&
           s->report->iterations < s->options.max_iterations;
}

/* Where workgroups that were to iterate together have not met, the solve goes on with a dispatch for each
 * step: from where it is, or, gone astray, from a new true residual. */
static vks_status part(struct solve *s, const struct snapshot *end, bool *goes_on)
{
    uint64_t ticket;
    *goes_on = end->control.state == STATE_ALONE;
    if (!*goes_on && end->control.state != STATE_ASTRAY)
        return VKS_OK;
    meetings_missed(s->meetings, s->workspace.groups);
    s->report->together = s->workspace.groups = s->batch[0].count = s->batch[1].count = 0;
    if (!*goes_on)
        return VKS_OK;
    struct control_words control = end->control;
    control.state = STATE_RUNNING;
    solve_state(s, &control, end->number);
    return rec_submit(&s->put, &ticket);
}

/* Until the state is no longer RUNNING, or the caller cancels. */
static vks_status iterate(struct solve *s, struct snapshot *end, bool *cancelled)
{
    vks_status status;
    bool goes_on = false;
    do {
        status = run_batches(s, end, cancelled);
        if (!status)
            status = part(s, end, &goes_on);
    } while (!status && goes_on && !*cancelled);
    return status;
}

/* One cycle, from the true residual *norm to a new one. */
static vks_status cycle(struct solve *s, bool resumes, double *norm, struct snapshot *end, bool *cancelled)
{
    vks_solve_report *report = s->report;
    vks_status status = start_cycle(s, *norm, report->iterations, resumes);
    for (;;) {
        if (!status)
            status = iterate(s, end, cancelled);
        if (!status && s->refinement.is)
            status = refinement_gather(s, end);
        if (!status)
            status = residual_norm(s, norm);
        if (status)
            return status;
        double recurrence = sqrt(end->number[NUMBER_RR]) * s->sigma;
        if (end->control.iteration > report->iterations)
            report->residual = recurrence / s->b_norm;
        report->iterations = end->control.iteration;
        if (s->method->contraction && isfinite(s->method->contraction(end)))
            report->contraction = s->method->contraction(end);
        if (end->control.state != STATE_MET || *cancelled || !goes_on(s, recurrence, *norm))
            return fetch_history(s, residuals_seen(s, end));
        set_goal(s, recurrence / 2, end, report->iterations);
        uint64_t ticket;
        status = rec_submit(&s->put, &ticket);
    }
}

/* With iterations in f32 a cycle that fails may be followed by one without the directions; but the residual
 * must have been halved since the last such one, lest it never end. */
static vks_status cycles(struct solve *s, double norm)
{
    vks_solve_report *report = s->report;
    double started = norm; /* at the last cycle without directions */
    for (bool resumes = false;;) {
        double before = norm;
        uint32_t iterations = report->iterations;
        struct snapshot end;
        bool cancelled;
        vks_status status = cycle(s, resumes, &norm, &end, &cancelled);
        if (status)
            return status;
        report->true_residual = norm / s->b_norm;
        if (norm <= s->target) {
            report->reason = VKS_REASON_CONVERGED;
            return VKS_OK;
        }
        bool halved = end.control.state == STATE_MET && norm <= before / 2;
        bool again = s->refinement.is && end.control.state != STATE_LIMIT && norm <= started / 2;
        if (cancelled)
            report->reason = VKS_REASON_CANCELLED;
        else if (end.control.state == STATE_MET && !isfinite(norm))
            report->reason = VKS_REASON_NOT_FINITE;
        else if (!halved && !again && end.control.state != STATE_ASTRAY)
            report->reason = reason_of(s, end.control.state);
        else if (report->iterations >= s->options.max_iterations)
            report->reason = VKS_REASON_ITERATION_LIMIT;
        else {
            resumes = halved && s->refinement.is;
            report->restarts += !resumes;
            started = resumes ? started : norm;
            continue;
        }
        explain(s, &end, norm, iterations);
        return VKS_OK;
    }
}

/* The norms from which the solve starts. */
static vks_status begin(struct solve *s, double *norm)
{
    uint64_t ticket;
    s->sigma = 1;
    set_goal(s, 0, NULL, 0);
    vks_status status = s->options.zero_guess ? rec_submit(&s->clear, &ticket) : VKS_OK;
    if (!status)
        status = residual_norms(s, norm, &s->b_norm);
    s->target = fmax(s->options.rtol * s->b_norm, s->options.atol);
    if (status || s->b_norm != 0)
        return status;
    *norm = 0; /* b = 0 has the solution 0, whatever the matrix */
    status = rec_submit(&s->clear, &ticket);
    return status ? status : device_wait(s->device, ticket, DEVICE_WAIT_SECONDS);
}

vks_status drive(struct solve *s)
{
    vks_solve_report *report = s->report;
    double norm;
    s->begun = clock_seconds();
    vks_status status = begin(s, &norm);
    if (status)
        return status;
    report->initial_residual = report->residual = report->true_residual =
        s->b_norm != 0 ? norm / s->b_norm : 0;
    if (isfinite(s->b_norm) && norm <= s->target) {
        report->reason = VKS_REASON_CONVERGED; /* whatever the preconditioner */
        report->detail[0] = 0;
        report->row = UINT32_MAX;
        return VKS_OK;
    }
    if (s->refused) {
        add_f32(s);
        return VKS_OK;
    }
    if (!isfinite(norm) || !isfinite(s->b_norm)) {
        report->reason = VKS_REASON_NOT_FINITE;
        snprintf(report->detail, sizeof report->detail, "%s not finite from the start",
                 isfinite(s->b_norm) ? "b - A x is" : "the norm of b is");
        return VKS_OK;
    }
    return cycles(s, norm);
}
