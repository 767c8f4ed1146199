/* Rows that share a set-up, and so differ only in the preconditioner. */
#include "solvers/auto/learn.h"
#include "solvers/solve/solve.h"

#include <string.h>

/* Slot of the current row's preconditioner. */
static struct prepared *prepared_of_row(struct solve *s)
{
    vks_precond_options asked = method_precond(s->it.method, &s->options);
    vks_precond_options o = strategy_precond(&s->strategies, &asked);
    return prepared_of(s, &o);
}

/* Moves the list to the first row of the set-up. Inspects A if the first budget is 0. */
static vks_status begin_list(struct solve *s)
{
    struct strategies *l = &s->strategies;
    vks_solve_report *r = s->it.column.report;
    l->at = strategies_group(l, l->at);
    l->has_inspected = l->is_learned = false;
    s->row.before.time = 0;
    if (!strategies_choose_precond(l))
        return VKS_OK;
    if (first_budget(&l->facts, r->choice, sizeof r->choice) == 0) {
        TRY(solve_inspect(s));
        l->at = strategies_find(l, l->at);
    }
    return VKS_OK;
}

static vks_status go_to_next(struct solve *s)
{
    struct strategies *l = &s->strategies;
    if (l->is_learned)
        return begin_list(s);
    l->at = strategies_next_precond(l);
    return VKS_OK;
}

/* Whether the next row is used instead. Memory that one preconditioner lacks may suffice for another. */
static bool is_passed_over(struct solve *s, const struct prepared *t, vks_status *status)
{
    struct message *m = s->it.message;
    bool lacks = lacks_memory(*status), passes = lacks || (!*status && diagnosis_refuses(&t->diagnosis));
    passes &= t->diagnosis.reason != VKS_REASON_CANCELLED;
    if (!passes || strategies_next_precond(&s->strategies) == s->strategies.count ||
        !strategies_may_fail(&s->strategies))
        return false;
    warn_of_row(s, "failed", lacks ? m->text : t->diagnosis.detail);
    if (forgive_lack_of_memory(m, *status))
        *status = VKS_OK;
    return true;
}

vks_status precond_rows_take(struct solve *s)
{
    struct strategies *l = &s->strategies;
    for (bool warned = false;;) {
        struct prepared *t = prepared_of_row(s);
        vks_status status = prepare(s, t);
        if (strategies_choose_precond(l))
            report_row(s, &t->options, t->diagnosis.reason);
        if (is_passed_over(s, t, &status)) {
            warned = true;
            TRY(go_to_next(s));
            continue;
        }
        s->it.krylov.M = t->M;
        s->diagnosis = t->diagnosis;
        if (warned)
            memcpy(s->diagnosis.warning, s->it.column.report->warning, sizeof s->diagnosis.warning);
        return status;
    }
}

/* Whether another preconditioner may follow, even if the inspection of A may leave no choice. */
static bool may_change_precond(const struct solve *s)
{
    return strategies_choose_precond(&s->strategies) && s->equation.x->n > FEW_ROWS;
}

vks_status precond_rows_open(struct solve *s)
{
    struct facts *f = &s->strategies.facts;
    const struct krylov *k = &s->it.krylov;
    if (s->options.shared_precond)
        return VKS_OK;
    s->it.column.report->attempts = s->attempts_before;
    if (strategies_choose_precond(&s->strategies)) {
        f->has_signs = false;
        experience_forget_values(&f->experience);
        f->rows = k->A->csr.n;
        f->entries = k->A->csr.entries;
        f->real_bytes = real_bytes(k->r.precision);
    }
    for (int i = 0; i < MOST_PREPARED; i++)
        s->precond[i].is_stale = true;
    s->it.krylov.M_changes = may_change_precond(s);
    return s->strategies.is_learned ? VKS_OK : begin_list(s);
}

void precond_rows_leave(struct solve *s)
{
    if (!s->recorded_for_diagonal)
        return;
    s->groups = s->it.batches.groups;
    s->has_groups = true;
}

vks_status precond_rows_arrive(struct solve *s)
{
    struct iteration *it = &s->it;
    bool diagonal = s->recorded_for_diagonal = it->krylov.M->is_diagonal;
    it->batches.groups = diagonal ? s->groups : 0;
    it->column.report->together = it->batches.groups;
    if (diagonal && !s->has_groups)
        TRY(iteration_prepare_fused(it));
    return setup_record_again(s);
}

/* Replaces the preconditioner of the iterations with that of the current row. */
static vks_status change(struct solve *s)
{
    const struct precond *recorded = s->recorded.M == s->it.krylov.M ? s->recorded.M : NULL;
    precond_rows_leave(s);
    TRY(precond_rows_take(s));
    report_precond(s);
    if (s->it.krylov.M == recorded)
        return VKS_OK;
    TRY(s->it.method->update_values(&s->it.krylov, &s->diagnosis));
    return precond_rows_arrive(s);
}

vks_status precond_rows_next(struct solve *s)
{
    TRY(go_to_next(s));
    return change(s);
}

vks_status precond_rows_rewind(struct solve *s)
{
    if (!strategies_choose_precond(&s->strategies))
        return VKS_OK;
    if (!s->strategies.is_learned)
        TRY(begin_list(s));
    return change(s);
}
