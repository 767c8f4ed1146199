/* Set-up of the strategy after one that has ended. */
#include "solvers/solve/solve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool leave_out(struct solve *s, vks_status status)
{
    const struct strategies *l = &s->strategies;
    const struct strategy *row = strategy_of(l);
    vks_solve_report *r = s->it.column.report;
    bool lacks = lacks_memory(status) || status == VKS_UNSUPPORTED;
    size_t used = strlen(s->left_out);
    vks_precond_kind precond = strategies_choose_precond(l) ? VKS_PRECOND_AUTO : row->precond.kind;
    if (!lacks || !l->chooses_method)
        return false;
    s->lacked_memory |= lacks_memory(status);
    if (r->attempts == s->attempts_before) /* its set-up failed before reporting the row */
        report_row(s, &row->precond, VKS_REASON_NOT_RUN);
    snprintf(s->left_out + used, sizeof s->left_out - used, "%s%s%s%s", used ? ", " : "",
             vks_method_name(row->method), precond ? " with " : "", precond ? vks_precond_name(precond) : "");
    snprintf(s->why_left_out, sizeof s->why_left_out, "%.90s", s->it.message->text);
    s->it.message->text[0] = 0;
    if (r->attempts == s->attempts_before)
        return true;
    vks_attempt *last = &r->attempt[r->attempts - 1];
    last->reason = VKS_REASON_NOT_RUN;
    last->true_residual = NAN;
    last->budget = 0;
    return true;
}

/* Records what a failed strategy shows about A, for later strategies. If its preconditioner was the diagonal,
 * which is positive, A itself is not positive definite. */
static void learn_of_matrix(struct solve *s)
{
    vks_reason reason = s->it.column.report->reason;
    bool by_diagonal = strategy_of(&s->strategies)->precond.kind == VKS_PRECOND_JACOBI;
    struct strategies *l = &s->strategies;
    if (l->is_learned) /* the learned row precedes the list */
        return;
    l->is_indefinite |= by_diagonal && reason == VKS_REASON_NOT_POSITIVE_DEFINITE;
    l->has_singular_factors |= s->it.method->promise && reason == VKS_REASON_SINGULAR;
}

vks_status set_up_next(struct solve *s)
{
    struct strategies *l = &s->strategies;
    learn_of_matrix(s);
    TRY(strategies_refresh_facts(l, s->equation.A));
    TRY(facts_add_diagonal(s->equation.A, &l->facts));
    l->facts.unmatched |= scaled_gave_up(&s->scaled);
    vks_status status;
    do {
        solve_clear(s);
        if (strategies_to_promise(l) < l->count)
            TRY(solve_promise(s));
        l->at = strategies_next_setup(l);
        l->is_learned = false;
        if (l->at == l->count)
            return VKS_OK;
        s->attempts_before = s->it.column.report->attempts;
        vks_solve_options o = strategy_options(l, &s->asked);
        status = solve_plan(s, &o);
        IF_OK(status, solve_setup(s));
    } while (leave_out(s, status));
    if (status)
        solve_clear(s); /* a kept solver makes a new set-up */
    return status;
}
