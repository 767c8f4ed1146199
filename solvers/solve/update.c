/* The set-up of a solve, and new values for one that is kept. */
#include "report/clock.h"
#include "solvers/solve/report.h"
#include "solvers/solve/solve.h"

#include <string.h>

/* While it is set up, the caller's progress function gets the time since then. */
static void begin_clock(struct solve *s)
{
    s->it.progress = (struct progress){.begun = clock_seconds(), .sigma = 1};
}

vks_status solve_begin_setup(struct solve *s)
{
    double begun = clock_seconds();
    uint32_t values = s->equation.A->values_taken;
    begin_clock(s);
    vks_status status = solve_setup(s);
    s->values_taken = values;
    s->seconds_setup += clock_seconds() - begun;
    return status;
}

static bool has_new_values(const struct solve *s)
{
    return s->values_taken != s->equation.A->values_taken;
}

/* Whether the set-up cannot take the values that A has now, or is incomplete, or another one is to be
 * preferred. */
static vks_status is_outdated(struct solve *s, bool *outdated)
{
    struct strategies *l = &s->strategies;
    const struct method *method = s->it.method; /* NULL: there is no set-up */
    *outdated = !method || method->solve_direct || s->stored != matrix_precision(s->equation.A) ||
                s->diagnosis.reason == VKS_REASON_CANCELLED;
    if (*outdated || !l->chooses_method)
        return VKS_OK;
    uint32_t first = strategies_group(l, strategies_find(l, 0));
    *outdated = strategies_group(l, l->at) != first && s->report.reason != VKS_REASON_CONVERGED;
    if (*outdated || !has_new_values(s))
        return VKS_OK;
    TRY(facts_find(s->equation.A, &l->facts));
    *outdated = strategies_group(l, strategies_find(l, 0)) != strategies_group(l, l->at);
    return VKS_OK;
}

/* Makes the report of the set-up that of a solve which begins with the strategy under way. */
static void rewind_report(struct solve *s)
{
    struct strategies *l = &s->strategies;
    vks_solve_report *r = s->it.report;
    l->began = strategies_group(l, l->at);
    r->attempts = 0;
    memcpy(r->warning, s->diagnosis.warning, sizeof r->warning);
    r->structural_rank = 0;
    report_plan(s);
    report_precond(s);
    report_scaling(s);
}

/* In place, unless they turn out to be too different. */
static vks_status update_values(struct solve *s, bool *outdated)
{
    if (s->strategies.chooses_method)
        rewind_report(s);
    begin_clock(s);
    TRY(has_new_values(s) || setup_is_stale(s) ? setup_update_values(s, outdated) : precond_rows_rewind(s));
    if (!*outdated)
        report_strategy(s);
    return VKS_OK;
}

static vks_status set_up_again(struct solve *s)
{
    solve_clear(s);
    TRY(solve_make_list(s));
    vks_status status = solve_begin_setup(s);
    if (status) {
        partners_report_failure(&s->it.partners, status);
        solve_clear(s);
    }
    return status;
}

/* What the last solve has left. */
static void forget_last_solve(struct solve *s)
{
    s->attempts_before = 0;
    s->left_out[0] = 0;
    s->lacked_memory = false;
    vks_vector_destroy(s->fallback.x); /* if it failed */
    s->fallback.x = NULL;
}

static vks_status update(struct solve *s)
{
    bool outdated;
    uint32_t values = s->equation.A->values_taken;
    forget_last_solve(s);
    TRY(is_outdated(s, &outdated));
    if (!outdated)
        TRY(update_values(s, &outdated));
    if (outdated)
        TRY(set_up_again(s));
    TRY(batches_record(&s->it));
    s->values_taken = values;
    return VKS_OK;
}

vks_status solve_update(struct solve *s)
{
    double begun = clock_seconds(), before = s->seconds_setup;
    s->it.report = &s->of_setup;
    vks_status status = update(s);
    s->seconds_setup = before + clock_seconds() - begun;
    return status;
}
