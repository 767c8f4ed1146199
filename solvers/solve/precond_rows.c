/* The rows that share a set-up, and so differ in the preconditioner. */
#include "solvers/solve/solve.h"

#include <string.h>

/* The place of the preconditioner of the row under way. */
static struct prepared *prepared_of_row(struct solve *s)
{
    vks_precond_options asked = method_precond(s->it.method, &s->options);
    vks_precond_options o = strategy_precond(&s->strategies, &asked);
    return prepared_of(s, &o);
}

/* Whether the next row comes instead. Without memory for one, there may be enough for another. */
static bool is_passed_over(struct solve *s, const struct prepared *t, vks_status *status)
{
    struct message *m = s->it.message;
    bool lacks = lacks_memory(*status), passes = lacks || (!*status && diagnosis_refuses(&t->diagnosis));
    passes &= t->diagnosis.reason != VKS_REASON_CANCELLED;
    if (!passes || !strategy_of(&s->strategies)->is_optional)
        return false;
    warn_of_row(s, "failed", lacks ? m->text : t->diagnosis.detail);
    if (forgive_lack_of_memory(m, *status))
        *status = VKS_OK;
    return true;
}

static vks_status take(struct solve *s)
{
    struct strategies *l = &s->strategies;
    for (bool warned = false;; l->at = strategies_next_precond(l)) {
        struct prepared *t = prepared_of_row(s);
        vks_status status = prepare(s, t);
        if (strategies_choose_precond(l))
            report_row(s, &t->options, t->diagnosis.reason);
        if (is_passed_over(s, t, &status)) {
            warned = true;
            continue;
        }
        s->it.krylov.M = t->M;
        s->diagnosis = t->diagnosis;
        if (warned)
            memcpy(s->diagnosis.warning, s->it.report->warning, sizeof s->diagnosis.warning);
        return status;
    }
}

/* Whether another preconditioner may follow; also where a look at A may show that there is no choice. */
static bool may_change_precond(const struct solve *s)
{
    return strategies_choose_precond(&s->strategies) && s->equation.x->n > FEW_ROWS;
}

/* Puts the list to the first row of the set-up. A that is to be looked at first is looked at. */
static vks_status begin_list(struct solve *s)
{
    struct strategies *l = &s->strategies;
    vks_solve_report *r = s->it.report;
    l->at = strategies_group(l, l->at);
    l->has_looked = false;
    s->row.before.time = 0;
    if (!strategies_choose_precond(l))
        return VKS_OK;
    if (first_budget(&l->facts, r->choice, sizeof r->choice) == 0) {
        TRY(solve_look(s));
        l->at = strategies_find(l, l->at);
    }
    return VKS_OK;
}

vks_status precond_rows_open(struct solve *s)
{
    struct facts *f = &s->strategies.facts;
    const struct krylov *k = &s->it.krylov;
    if (s->options.shared_precond)
        return VKS_OK;
    s->it.report->attempts = s->attempts_before;
    if (strategies_choose_precond(&s->strategies)) {
        f->has_signs = false;
        f->rows = k->A->csr.n;
        f->entries = k->A->csr.entries;
        f->real_bytes = real_bytes(k->r.precision);
    }
    for (int i = 0; i < MOST_PREPARED; i++)
        s->precond[i].is_stale = true;
    s->it.krylov.M_changes = may_change_precond(s);
    return begin_list(s);
}

vks_status precond_rows_take(struct solve *s)
{
    uint32_t before = s->it.report->attempts;
    vks_status status = take(s);
    bool is_kept = s->it.report == &s->of_setup && strategies_choose_precond(&s->strategies);
    s->first_row = s->strategies.at;
    s->passed_over = is_kept ? s->it.report->attempts - before - 1 : 0;
    return status;
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
    it->report->together = it->batches.groups;
    if (diagonal && !s->has_groups)
        TRY(iteration_prepare_fused(it));
    return setup_record_again(s);
}

vks_status precond_rows_change(struct solve *s)
{
    precond_rows_leave(s);
    TRY(take(s));
    report_precond(s);
    TRY(s->it.method->update_values(&s->it.krylov, &s->diagnosis));
    return precond_rows_arrive(s);
}

vks_status precond_rows_rewind(struct solve *s)
{
    struct strategies *l = &s->strategies;
    vks_solve_report *r = s->it.report;
    if (!strategies_choose_precond(l))
        return VKS_OK;
    bool is_there = l->at == s->first_row && s->recorded.M == s->it.krylov.M;
    TRY(begin_list(s));
    l->at = s->first_row;
    r->attempts = s->passed_over;
    if (!is_there)
        return precond_rows_change(s);
    const struct prepared *t = prepared_of_row(s);
    report_row(s, &t->options, t->diagnosis.reason);
    return VKS_OK;
}
