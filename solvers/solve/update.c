/* The set-up of a solve, and its updates to new values for a kept solver. */
#include "report/clock.h"
#include "solvers/solve/report.h"
#include "solvers/solve/solve.h"

#include <string.h>

vks_status solve_begin_setup(struct solve *s)
{
    double begun = clock_seconds();
    uint32_t values = s->equation.A->values_taken;
    iteration_forget(&s->it);
    vks_status status = solve_setup(s);
    s->values_taken = values;
    s->seconds_setup += clock_seconds() - begun;
    return status;
}

static bool has_new_values(const struct solve *s)
{
    return s->values_taken != s->equation.A->values_taken;
}

/* Whether the set-up is incomplete, or cannot be updated to the current values of A. */
static bool is_outdated(const struct solve *s)
{
    const struct method *method = s->it.method; /* NULL: no set-up */
    return !method || s->stored != matrix_precision(s->equation.A) ||
           s->diagnosis.reason == VKS_REASON_CANCELLED;
}

/* Whether the solve may begin with the current row: new values may require another list. */
static vks_status check_row(struct solve *s, bool *suits)
{
    struct strategies *l = &s->strategies;
    *suits = true;
    if (!l->chooses_method)
        return VKS_OK;
    l->has_stale_facts |= has_new_values(s);
    if (l->is_learned && !s->it.method->solve_direct) /* it is limited by its budget of products */
        return VKS_OK;
    uint32_t first = strategies_first_setup(l);
    TRY(strategies_refresh_facts(l, s->equation.A));
    *suits = strategies_first_setup(l) == (l->is_learned ? first : strategies_group(l, l->at));
    return VKS_OK;
}

/* Resets the report of the set-up for a solve that begins with the current strategy. */
static void rewind_report(struct solve *s)
{
    vks_solve_report *r = s->it.column.report;
    r->attempts = 0;
    memcpy(r->warning, s->diagnosis.warning, sizeof r->warning);
    r->structural_rank = 0;
    report_plan(s);
    report_precond(s);
    report_scaling(s);
}

/* Updates in place, unless the new values turn out to differ too much. */
static vks_status update_values(struct solve *s, bool *outdated)
{
    if (s->strategies.count > 1)
        rewind_report(s);
    iteration_forget(&s->it);
    TRY(has_new_values(s) || setup_is_stale(s) ? setup_update_values(s, outdated) : precond_rows_rewind(s));
    if (!*outdated)
        report_strategy(s);
    return VKS_OK;
}

static vks_status set_up_row(struct solve *s)
{
    vks_solve_options o;
    if (s->strategies.is_learned) {
        o = strategy_options(&s->strategies, &s->asked);
        TRY(solve_plan(s, &o));
    } else
        TRY(solve_make_list(s));
    return solve_begin_setup(s);
}

/* Sets up the learned row or, without one, the first row. */
static vks_status set_up_again(struct solve *s)
{
    struct strategies *l = &s->strategies;
    vks_status status;
    bool again;
    do {
        solve_clear(s);
        *s->it.column.report = report_not_run;
        status = set_up_row(s);
        again = l->is_learned && forgive_lack_of_memory(s->it.message, status);
        l->is_learned &= !again;
    } while (again);
    if (status) {
        partners_report_failure(&s->it.partners, status);
        solve_clear(s);
    }
    return status;
}

/* Clears the results of the last solve. */
static void forget_last_solve(struct solve *s)
{
    strategies_forget(&s->strategies);
    s->before = (struct saved_outcome){0};
    s->attempts_before = 0;
    s->left_out[0] = 0;
    s->lacked_memory = false;
    vks_vector_destroy(s->fallback.x); /* left if that solve failed */
    s->fallback.x = NULL;
}

static vks_status update(struct solve *s)
{
    uint32_t values = s->equation.A->values_taken;
    bool outdated = is_outdated(s), suits = false;
    forget_last_solve(s);
    if (s->it.method)
        TRY(check_row(s, &suits));
    s->strategies.is_learned &= suits;
    if (suits && !outdated)
        TRY(update_values(s, &outdated));
    if (outdated || !suits)
        TRY(set_up_again(s));
    TRY(setup_record_batches(s));
    s->values_taken = values;
    return VKS_OK;
}

vks_status solve_update(struct solve *s)
{
    double begun = clock_seconds(), before = s->seconds_setup;
    s->it.column.report = &s->of_setup;
    vks_status status = update(s);
    s->seconds_setup = before + clock_seconds() - begun;
    return status;
}

/* Whether the update can be deferred. A zero x never meets the tolerance, a null space or a shared
 * preconditioner may be refused, and partners update together. */
static bool can_wait(const struct solve *s)
{
    const vks_solve_options *o = &s->options;
    return !is_outdated(s) && has_new_values(s) && !s->it.method->least_squares && !o->zero_guess &&
           !o->singular && !o->shared_precond && !o->partners;
}

vks_status solve_prepare(struct solve *s)
{
    s->is_behind = can_wait(s);
    if (!s->is_behind)
        return solve_update(s);
    forget_last_solve(s);
    return residual_update_values(&s->it.residual);
}
