/* Attempts in the report: one for each strategy row that was tried. */
#include "solvers/solve/options.h"
#include "solvers/solve/solve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

uint32_t reported_budget(const struct solve *s)
{
    return s->row.budget == NO_BUDGET ? 0 : s->row.budget;
}

void report_row(struct solve *s, const vks_precond_options *o, vks_reason reason)
{
    const struct strategies *l = &s->strategies;
    const struct strategy *row = strategy_of(l);
    vks_solve_report *r = s->it.column.report;
    set_budget(s);
    if (l->is_learned)
        snprintf(r->choice, sizeof r->choice, "as in the solve before");
    if (r->attempts == VKS_LARGEST_ATTEMPTS)
        return;
    r->attempt[r->attempts++] = (vks_attempt){
        .method = row->method,
        .precond = o->kind ? o->kind : r->precond,
        .in_f32 = o->in_f32,
        .budget = reported_budget(s),
        .reason = reason,
        .true_residual = NAN,
        .scaling = r->scaling,
        .restart = row->restart,
        .precond_options = strategies_choose_precond(l) || !row->precond.kind ? NULL : &row->precond};
}

void report_strategy(struct solve *s)
{
    const struct strategies *l = &s->strategies;
    vks_solve_report *r = s->it.column.report;
    uint32_t asked = s->asked.max_iterations;
    if (!l->chooses_method) {
        set_budget(s);
        return;
    }
    if (!asked) /* its own limit, besides the iterations of earlier strategies */
        s->options.max_iterations =
            strategy_of(l)->products ? UINT32_MAX : options_default_limit(s->equation.A) + r->iterations;
    if (strategies_choose_precond(l))
        return;
    conditions_text(strategies_conditions(l), r->choice, sizeof r->choice);
    report_row(s, &strategy_of(l)->precond, VKS_REASON_NOT_RUN);
}

/* Reports traffic as the mean over all iterations. */
void report_row_end(struct solve *s)
{
    vks_solve_report *r = s->it.column.report;
    if (!r->attempts)
        return;
    vks_attempt *last = &r->attempt[r->attempts - 1];
    uint32_t before = 0;
    for (const vks_attempt *other = r->attempt; other < last; other++)
        before += other->iterations;
    last->iterations = r->iterations - before;
    last->reason = r->reason;
    last->true_residual = r->true_residual;
    last->products = last->iterations * products_of_iteration(s);
    s->row.bytes += last->iterations * r->bytes_per_iteration;
    if (r->iterations)
        r->bytes_per_iteration = s->row.bytes / r->iterations;
}

void warn_of_row(struct solve *s, const char *what, const char *why)
{
    const struct strategies *l = &s->strategies;
    vks_solve_report *r = s->it.column.report;
    const vks_attempt *last = &r->attempt[r->attempts - 1];
    snprintf(r->warning, sizeof r->warning, "%s %s after %u iterations%s%.120s; %s continued from the best x",
             vks_precond_name(last->precond), what, last->iterations, why[0] ? ": " : "", why,
             vks_precond_name(l->row[strategies_next_precond(l)].precond.kind));
}

void warn_of_left_out(struct solve *s)
{
    char *to = s->it.column.report->warning;
    size_t size = sizeof s->it.column.report->warning;
    if (s->left_out[0])
        snprintf(to, size, "left out: %.150s: %.90s", s->left_out, s->why_left_out);
    else if (!to[0])
        snprintf(to, size, "%s", s->before.warning);
}

void save_outcome(struct solve *s)
{
    const vks_solve_report *r = s->it.column.report;
    s->before = (struct saved_outcome){.reason = r->reason,
                                       .method = r->method,
                                       .precond = r->precond,
                                       .scaling = r->scaling,
                                       .row = r->row};
    memcpy(s->before.detail, r->detail, sizeof r->detail);
    memcpy(s->before.warning, r->warning, sizeof r->warning);
}

void restore_outcome(struct solve *s)
{
    const struct saved_outcome *before = &s->before;
    vks_solve_report *r = s->it.column.report;
    r->reason = before->reason;
    r->method = before->method;
    r->precond = before->precond;
    r->scaling = before->scaling;
    r->row = before->row;
    memcpy(r->detail, before->detail, sizeof r->detail);
}
