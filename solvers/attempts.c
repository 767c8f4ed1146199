#include "solvers/options.h"
#include "solvers/report.h"
#include "solvers/rule.h"
#include "solvers/solve.h"

#include "report/clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct attempt *row_of(const struct solve *s)
{
    return &s->attempts.row[s->attempts.at];
}

static bool is_last(const struct attempts *a)
{
    return a->at + 1 >= a->count;
}

static bool lacks_memory(vks_status s)
{
    return s == VKS_DEVICE_MEMORY || s == VKS_OUT_OF_MEMORY || s == VKS_LIMIT;
}

/* The rule, for the values that the iterations see. Where there is no memory to look at them, as if A had few
 * rows. */
static vks_status choose(struct solve *s)
{
    const vks_matrix *A = s->krylov.A;
    enum precision p = s->krylov.r.precision;
    struct rule_facts f = {.rows = A->csr.n, .entries = A->csr.entries, .bytes = real_bytes(p)};
    vks_solve_report *r = s->report;
    vks_status status = f.rows > RULE_FEW_ROWS ? signs_measure(s->device, A, p, &f.signs) : VKS_OK;
    if (lacks_memory(status)) {
        s->message->text[0] = 0;
        f.signs.positive = NAN;
        status = VKS_OK;
    }
    rule_apply(&f, &s->attempts, r->choice, sizeof r->choice);
    return status;
}

/* What a list attempts, each with the precision that was asked for, or in f32 where it can be. */
static void take_options(struct solve *s, vks_precond_options asked)
{
    struct attempts *a = &s->attempts;
    a->precond[ATTEMPT_JACOBI].options = asked;
    if (!a->chooses)
        return;
    a->precond[ATTEMPT_JACOBI].options.kind = VKS_PRECOND_JACOBI;
    a->precond[ATTEMPT_MULTIGRID].options = (vks_precond_options){.kind = VKS_PRECOND_AMG, .in_f32 = 1};
}

/* The x to come back to, which is kept from now on. */
static vks_status take_room(struct solve *s)
{
    struct attempts *a = &s->attempts;
    const vks_vector *x = s->equation.x;
    if (a->best || a->count < 2)
        return VKS_OK;
    s->krylov.M_changes = true;
    rec_create(&a->restore, s->device, moving_precision(s->device, x->precision));
    vks_status status = vks_vector_create(x->context, x->n, x->precision, &a->best);
    if (status)
        return status;
    copy_elements(&a->restore, a->best, x);
    return rec_prepare(&a->restore);
}

vks_status attempts_plan(struct solve *s)
{
    struct attempts *a = &s->attempts;
    vks_precond_options asked = options_precond(s->method, &s->options);
    a->chooses =
        asked.kind == VKS_PRECOND_AUTO && s->options.method == VKS_METHOD_CG && s->krylov.A->csr.row != NULL;
    a->at = 0;
    a->count = 1;
    a->row[0] = (struct attempt){.precond = ATTEMPT_JACOBI, .budget = ATTEMPT_REST};
    s->report->attempts = 0;
    take_options(s, asked);
    for (int i = 0; i < ATTEMPT_PRECONDS; i++)
        a->precond[i].is_stale = true;
    vks_status status = a->chooses ? choose(s) : VKS_OK;
    return status ? status : take_room(s);
}

/* Makes a preconditioner, or has it take the values of A. */
static vks_status make(struct solve *s, struct attempted *t)
{
    struct finding *f = &t->finding;
    f->order = s->finding.order;
    if (t->M && !t->is_stale)
        return VKS_OK;
    finding_clear(f);
    vks_status status = t->M ? precond_refresh(t->M, f)
                             : precond_create(s->krylov.A, s->krylov.r.precision, s->method->symmetric,
                                              &t->options, f, &t->M);
    t->is_stale = status != VKS_OK;
    return status;
}

/* Begins the report of the attempt under way. */
static void tell_attempt(struct solve *s, const struct attempted *t)
{
    const struct attempt *row = row_of(s);
    s->report->attempt[s->report->attempts++] =
        (vks_attempt){.precond = t->options.kind,
                      .in_f32 = t->options.in_f32,
                      .budget = row->budget == ATTEMPT_REST ? 0 : row->budget,
                      .reason = t->finding.reason,
                      .true_residual = NAN};
}

/* The last attempt that was told, and the one that follows it. */
static void warn(struct solve *s, const char *what, const char *why)
{
    const struct attempts *a = &s->attempts;
    vks_solve_report *r = s->report;
    const vks_attempt *last = &r->attempt[r->attempts - 1];
    snprintf(r->warning, sizeof r->warning, "%s %s after %u iterations%s%.120s; %s went on from the best x",
             vks_precond_name(last->precond), what, last->iterations, why[0] ? ": " : "", why,
             vks_precond_name(a->precond[a->row[a->at + 1].precond].options.kind));
}

/* Whether the next row takes its turn. Without memory for one, another may do. */
static bool passes_over(struct solve *s, const struct attempted *t, vks_status *status)
{
    bool lacks = lacks_memory(*status), passes = lacks || (!*status && finding_refuses(&t->finding));
    if (!passes || !row_of(s)->may_fail)
        return false;
    warn(s, "failed", lacks ? s->message->text : t->finding.detail);
    if (lacks)
        s->message->text[0] = 0;
    *status = VKS_OK;
    return true;
}

vks_status attempts_take(struct solve *s)
{
    struct attempts *a = &s->attempts;
    for (bool warned = false;; a->at++) {
        struct attempted *t = &a->precond[row_of(s)->precond];
        vks_status status = make(s, t);
        if (a->chooses)
            tell_attempt(s, t);
        if (passes_over(s, t, &status)) {
            warned = true;
            continue;
        }
        s->krylov.M = t->M;
        s->finding = t->finding;
        if (warned)
            memcpy(s->finding.warning, s->report->warning, sizeof s->finding.warning);
        return status;
    }
}

void attempts_leave(struct solve *s)
{
    struct attempts *a = &s->attempts;
    if (!s->krylov.M->is_diagonal)
        return;
    a->groups = s->batches.groups;
    a->is_prepared = true;
}

vks_status attempts_arrive(struct solve *s)
{
    struct attempts *a = &s->attempts;
    bool diagonal = s->krylov.M->is_diagonal;
    vks_status status = VKS_OK;
    s->batches.groups = diagonal ? a->groups : 0;
    if (diagonal && !a->is_prepared)
        status = solve_prepare_fused(s);
    s->report->together = s->batches.groups;
    return status ? status : solve_record_again(s);
}

/* Takes the preconditioner of the row under way in place of another one. */
static vks_status change(struct solve *s)
{
    attempts_leave(s);
    vks_status status = attempts_take(s);
    if (!status) {
        solve_tell_precond(s);
        status = s->method->take_values(&s->krylov, &s->finding);
    }
    return status ? status : attempts_arrive(s);
}

vks_status attempts_rewind(struct solve *s)
{
    struct attempts *a = &s->attempts;
    if (!a->chooses || (!a->at && s->recorded.M == s->krylov.M))
        return VKS_OK;
    a->at = 0;
    s->report->attempts = 0;
    s->report->warning[0] = 0;
    return change(s);
}

void attempts_release(struct solve *s)
{
    struct attempts *a = &s->attempts;
    for (int i = 0; i < ATTEMPT_PRECONDS; i++)
        precond_destroy(a->precond[i].M);
    rec_destroy(&a->restore);
    vks_vector_destroy(a->best);
    *a = (struct attempts){0};
}

uint32_t attempts_limit(const struct solve *s)
{
    const struct progress *p = &s->progress;
    uint32_t most = s->options.max_iterations, left = most - p->iterations_of_attempts;
    if (!s->attempts.count || left <= row_of(s)->budget || left - row_of(s)->budget <= p->beyond)
        return most;
    return p->iterations_of_attempts + row_of(s)->budget + p->beyond;
}

void attempts_record(struct rec *r, const struct solve *s)
{
    if (s->attempts.best && row_of(s)->may_fail)
        copy_elements(r, s->equation.x, s->attempts.best);
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
    p->bytes += last->iterations * r->bytes_per_iteration;
    if (r->iterations)
        r->bytes_per_iteration = p->bytes / r->iterations;
}

/* From x, whose residual has been measured. */
static vks_status begin(struct solve *s)
{
    struct progress *p = &s->progress;
    p->resumes = false;
    p->norm_at_start = p->norm_of_attempt = p->norm;
    p->iterations_of_attempts = s->report->iterations;
    p->beyond = 0;
    return start_cycle(s);
}

static vks_status restored(struct solve *s)
{
    vks_status status = take_norms(s);
    s->report->true_residual = relative_residual(&s->progress);
    return status ? status : begin(s);
}

static vks_status restore(struct solve *s)
{
    uint64_t ticket;
    vks_status status = rec_submit(&s->attempts.restore, &ticket);
    if (!status)
        status = measure_residual(s, &ticket);
    return status ? status : await(s, ticket, restored);
}

static void forget_reason(vks_solve_report *r)
{
    r->reason = VKS_REASON_NOT_RUN;
    r->row = UINT32_MAX;
    r->detail[0] = 0;
}

/* The set-up counts as such, and not as iterations. */
static vks_status take_next(struct solve *s)
{
    double begun = clock_seconds();
    s->attempts.at++;
    vks_status status = change(s);
    double seconds = clock_seconds() - begun;
    s->progress.begun += seconds;
    s->report->seconds_setup += seconds;
    return status;
}

static vks_status next(struct solve *s)
{
    const struct progress *p = &s->progress;
    bool worse = row_of(s)->may_fail && !(p->norm <= p->norm_at_start);
    vks_status status = take_next(s);
    if (status)
        return status;
    if (finding_refuses(&s->finding)) {
        report_finding(s->report, &s->finding);
        return end_solve(s);
    }
    return worse ? restore(s) : begin(s);
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
    uint32_t patience = row_of(s)->patience;
    double now = p->norm / p->norm_of_attempt, target = p->target / p->norm_of_attempt;
    return patience && !p->beyond && p->end.control.state == STATE_LIMIT &&
           power(now, patience + 1) <= power(target, patience);
}

vks_status attempts_go_on(struct solve *s)
{
    const struct attempt *row = row_of(s);
    struct progress *p = &s->progress;
    vks_solve_report *r = s->report;
    bool spent = r->reason == VKS_REASON_ITERATION_LIMIT && r->iterations < s->options.max_iterations;
    bool failed = row->may_fail && !spent && r->reason != VKS_REASON_CANCELLED &&
                  r->reason != VKS_REASON_ITERATION_LIMIT;
    if (is_last(&s->attempts) || (!spent && !failed))
        return end_solve(s);
    if (spent && ends_soon(s)) {
        forget_reason(r);
        p->beyond = row->budget / row->patience;
        return resume_cycle(s);
    }
    attempts_note(s);
    if (row->may_fail)
        warn(s, failed ? "failed" : "lowered the residual too little", failed ? r->detail : "");
    forget_reason(r);
    return next(s);
}
