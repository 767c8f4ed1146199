/* Stages of a solve: each decides what follows when an operation of the iterations has ended. */
#include "report/clock.h"
#include "solvers/auto/learn.h"
#include "solvers/solve/report.h"
#include "solvers/solve/solve.h"

#include <math.h>
#include <stdio.h>

/* Runs a step whose time counts as set-up, not as iterations. */
static vks_status do_as_setup(struct solve *s, vks_status (*step)(struct solve *s))
{
    double begun = s->it.progress.stopped = clock_seconds();
    vks_status status = step(s);
    double seconds = clock_seconds() - begun;
    s->it.progress.begun += seconds;
    s->it.progress.stopped = 0;
    s->it.column.report->seconds_setup += seconds;
    return status;
}

/* The end */

static vks_status ended(struct solve *s)
{
    s->it.column.report->seconds_solve = clock_seconds() - s->it.progress.begun;
    report_hints(s);
    s->stage = NULL;
    return VKS_OK;
}

/* Copies x to the caller. */
static vks_status hand_back(struct solve *s)
{
    uint64_t ticket;
    strategies_learn(&s->strategies, s->it.column.report, relative_to_b(&s->it.column, s->it.column.target));
    accept_one_norm(s);
    TRY(partners_end(&s->it.partners));
    if (!s->hand_back)
        return ended(s);
    TRY(rec_submit(s->hand_back, &ticket));
    s->stage = ended;
    return iteration_await(&s->it, ticket);
}

/* Assesses the best x, for the report. */
static vks_status finish(struct solve *s)
{
    bool changed;
    TRY(take_better_x(s, &changed));
    s->stage = hand_back;
    bool measures = changed && s->it.method; /* there is a set-up */
    return measures ? iteration_measure_again(&s->it) : iteration_assess(&s->it);
}

static vks_status finish_unsolved(struct solve *s)
{
    report_singularity(s);
    return finish(s);
}

/* Moves to the next strategy. Each has its own set-up; the equation, report and progress are kept. */

static vks_status next_strategy(struct solve *s);
static vks_status begin_strategy(struct solve *s);

/* Whether another strategy may follow, if one applies. */
static bool wants_another(const struct solve *s)
{
    const vks_solve_report *r = s->it.column.report;
    const struct iteration *it = &s->it;
    uint32_t most = s->asked.max_iterations;
    /* CG that stagnates in f32 has reached its rounding level. */
    bool is_rounding = r->reason == VKS_REASON_STAGNATED && !s->strategies.has_stale_facts &&
                       it->method->use == PRECOND_FOR_POSITIVE && r->iterated_in == VKS_F32 &&
                       !it->refinement.widens;
    bool has_none = lacks_solution(s) || (r->reason == VKS_REASON_SINGULAR && it->method->least_squares);
    bool ends = r->reason == VKS_REASON_CONVERGED || r->reason == VKS_REASON_CANCELLED ||
                r->reason == VKS_REASON_NOT_SINGULAR || is_rounding || has_none ||
                (most && r->iterations >= most);
    return s->strategies.chooses_method && !ends && isfinite(it->column.norm) && isfinite(it->column.b_norm);
}

static bool has_another(const struct solve *s)
{
    return wants_another(s) && strategies_next_setup(&s->strategies) < s->strategies.count;
}

static vks_status strategy_ended(struct solve *s)
{
    vks_status status = iteration_confirm(&s->it);
    bool is_singular = s->strategies.chooses_method && s->it.column.report->reason == VKS_REASON_SINGULAR;
    report_row_end(s);
    s->it.batches.expected = s->it.column.report->iterations;
    IF_OK(status, prove_no_solution(s));
    if (status)
        return status;
    report_no_solution(s);
    report_precond_outcome(s);
    if (has_another(s))
        return next_strategy(s);
    return is_singular || wants_another(s) ? finish_unsolved(s) : finish(s);
}

/* Chooses the best x. If the caller ended the iterations of a named method, their latest x is kept, unless an
 * earlier one met the plain norm: the residual of conjugate gradients may rise while x improves. */
static vks_status end_strategy(struct solve *s)
{
    struct iteration *it = &s->it;
    bool ends_early = !s->strategies.chooses_method && ended_by_caller(s);
    bool is_worse = ends_early ? column_left_plain(&it->column) : column_is_worse(&it->column);
    if (it->column.report->reason == VKS_REASON_CONVERGED)
        return strategy_ended(s);
    s->stage = strategy_ended;
    it->column.is_sure &= !is_worse;
    return is_worse ? iteration_restore(it) : iteration_assess(it);
}

/* Ends the strategy with the diagnosis of its set-up. */
static vks_status refuse(struct solve *s)
{
    report_diagnosis(s->it.column.report, &s->diagnosis);
    return end_strategy(s);
}

/* Finishes when no strategy can lower the residual further. */
static vks_status finish_at_rounding(struct solve *s)
{
    vks_solve_report *r = s->it.column.report;
    r->attempt[r->attempts - 1].reason = r->reason;
    return r->reason == VKS_REASON_CONVERGED ? finish(s) : finish_unsolved(s);
}

static vks_status next_strategy(struct solve *s)
{
    /* Pivots of sparse factors may let x grow along the null space of a singular A: x is then not final. */
    bool may_settle = !s->it.method->promise || s->it.column.is_sure;
    if (may_settle && column_settle_at_rounding(&s->it.column))
        return finish_at_rounding(s);
    if (column_x_hides_target(&s->it.column))
        TRY(drop_x(s));
    save_outcome(s);
    TRY(do_as_setup(s, set_up_next));
    warn_of_left_out(s);
    if (s->strategies.at == s->strategies.count) {
        restore_outcome(s);
        return finish_unsolved(s);
    }
    s->it.column.is_sure = false;
    s->row.iterations = s->it.column.report->iterations; /* set even if A is unsuitable */
    s->it.column.at_start = size_of_residual(&s->it.column);
    return begin_strategy(s);
}

/* The current row, and the next one with the same set-up */

static vks_status row_ended(struct solve *s);

static vks_status begin_row(struct solve *s)
{
    struct row_progress *p = &s->row;
    p->measure = s->it.column.measure;
    p->iterations = s->it.column.report->iterations;
    p->beyond = 0;
    s->it.column.limits.iterations = limit_of_row(s);
    s->stage = row_ended;
    return iteration_begin(&s->it);
}

static void forget_reason(vks_solve_report *r)
{
    r->reason = VKS_REASON_NOT_RUN;
    r->row = UINT32_MAX;
    r->detail[0] = 0;
}

/* Continues the current row with iterations beyond its budget. */
static vks_status extend(struct solve *s, uint32_t beyond)
{
    forget_reason(s->it.column.report);
    s->row.beyond = beyond;
    s->it.column.limits.iterations = limit_of_row(s);
    return iteration_resume(&s->it);
}

static vks_status next_precond(struct solve *s)
{
    struct row_progress *row = &s->row;
    struct iteration *it = &s->it;
    bool worse = strategies_may_fail(&s->strategies) && column_is_worse(&it->column);
    row->before.factor = it->column.measure / row->measure;
    row->before.time = row->time * (it->column.report->iterations - row->iterations);
    forget_reason(it->column.report);
    TRY(do_as_setup(s, precond_rows_next));
    if (diagnosis_refuses(&s->diagnosis))
        return refuse(s);
    if (!worse)
        return begin_row(s);
    s->stage = begin_row;
    return iteration_restore(it);
}

/* Called when the current row has spent its budget. The row continues if new facts about A give it a larger
 * budget, or if it converges. */
static vks_status go_beyond_budget(struct solve *s, bool *goes_on)
{
    vks_solve_report *r = s->it.column.report;
    uint32_t extension = inspects_after(s) ? 0 : budget_extension(s);
    *goes_on = true;
    while (!extension && (inspects_after(s) || promises_after(s))) {
        uint32_t before = s->row.budget;
        TRY(do_as_setup(s, inspects_after(s) ? solve_inspect : solve_promise));
        set_budget(s);
        r->attempt[r->attempts - 1].budget = reported_budget(s);
        if (s->row.budget > before && deserves_budget(s))
            return extend(s, 0);
        extension = inspects_after(s) ? 0 : budget_extension(s);
    }
    *goes_on = extension > 0;
    return extension ? extend(s, extension) : VKS_OK;
}

/* Called when the iterations have ended: extends the row, takes the next preconditioner, or ends. */
static vks_status row_ended(struct solve *s)
{
    const struct strategies *l = &s->strategies;
    const struct strategy *row = strategy_of(l);
    const struct iteration *it = &s->it;
    vks_solve_report *r = it->column.report;
    if (it->column.settled)
        return end_strategy(s);
    report_structural_singularity(s);
    if (suspects_no_solution(s)) {
        TRY(prove_no_solution(s));
        if (!lacks_solution(s) && !ends_out_of_reach(s) && !it->progress.cancelled)
            return extend(s, 0);
    }
    bool spent = r->reason == VKS_REASON_ITERATION_LIMIT && r->iterations < s->options.max_iterations;
    bool failed = r->reason != VKS_REASON_CANCELLED && r->reason != VKS_REASON_ITERATION_LIMIT;
    bool goes_on = false;
    if (spent)
        TRY(go_beyond_budget(s, &goes_on));
    if (goes_on)
        return VKS_OK;
    bool continues = spent || (failed && strategies_may_fail(l));
    if (!continues || strategies_next_precond(l) == l->count)
        return end_strategy(s);
    if (failed || row->is_optional) /* a spent budget of the first row shows little */
        TRY(prove_no_solution(s));
    if (lacks_solution(s) || it->progress.cancelled)
        return end_strategy(s);
    report_row_end(s);
    if (failed || (row->is_optional && !l->is_learned))
        warn_of_row(s, failed ? "failed" : "lowered the residual too little", failed ? r->detail : "");
    return next_precond(s);
}

/* The beginning of a strategy */

static vks_status measured(struct solve *s)
{
    return diagnosis_refuses(&s->diagnosis) ? refuse(s) : begin_row(s);
}

/* Resets x to zero, which is better than the x of a named direct method. */
static vks_status take_zero(struct solve *s)
{
    TRY(vks_vector_fill(s->equation.x, 0));
    s->stage = end_strategy;
    return iteration_measure_again(&s->it);
}

/* Checks the measured residual of a direct solution. */
static vks_status measured_direct(struct solve *s)
{
    vks_solve_report *r = s->it.column.report;
    const struct column *c = &s->it.column;
    bool ends_well = column_is_solved(c) || column_settle_at_rounding(c);
    if (!ends_well)
        report_unrefined(s);
    if (isnan(r->initial_residual))
        r->initial_residual = c->b_norm != 0;
    bool is_lost = !ends_well && !(c->norm <= c->b_norm) && isfinite(c->b_norm);
    return is_lost && !s->strategies.chooses_method ? take_zero(s) : end_strategy(s);
}

/* Runs a direct method. */
static vks_status begin_direct(struct solve *s)
{
    bool solved;
    vks_status status = solve_directly(s, &solved);
    if (leave_out(s, status)) {
        restore_outcome(s);
        warn_of_left_out(s);
        return has_another(s) ? next_strategy(s) : finish_unsolved(s);
    }
    if (status)
        return status;
    if (!solved)
        return refuse(s);
    s->stage = measured_direct;
    return iteration_measure(&s->it);
}

/* Updates the values of A, since x does not meet the tolerance. */
static vks_status catch_up(struct solve *s)
{
    bool cancelled = s->it.progress.cancelled;
    s->is_behind = false;
    TRY(solve_update(s));
    TRY(residual_take_b(&s->it.residual));
    TRY(solve_begin(s));
    s->it.progress.cancelled = cancelled;
    return VKS_OK;
}

/* Called with the first residual: begins the first row, or ends the solve. */
static vks_status measured_first(struct solve *s)
{
    struct iteration *it = &s->it;
    struct column *c = &it->column;
    vks_solve_report *r = c->report;
    r->initial_residual = r->residual = r->true_residual;
    if (isfinite(c->b_norm) && column_is_solved(c))
        return end_strategy(s);
    if (s->is_behind)
        return catch_up(s);
    bool finite = isfinite(c->norm) && isfinite(c->b_norm);
    if (diagnosis_refuses(&s->diagnosis) && (finite || r->reason == VKS_REASON_NOT_FINITE)) {
        column_add_precision(c);
        partners_report_refusal(&it->partners, s->diagnosis.reason); /* a refusal by this process alone */
        return end_strategy(s);
    }
    if (!finite) { /* regardless of the preconditioner's diagnosis */
        report_not_finite(s);
        return end_strategy(s);
    }
    c->at_start = size_of_residual(c);
    return it->method->solve_direct ? begin_direct(s) : begin_row(s);
}

static vks_status begin_strategy(struct solve *s)
{
    if (s->it.method->solve_direct)
        return begin_direct(s);
    s->stage = measured;
    return iteration_measure(&s->it);
}

/* The beginning of the solve */

vks_status solve_pass(struct solve *s, vks_status status)
{
    if (status) {
        s->stage = NULL;
        iteration_drain(&s->it);
        partners_report_failure(&s->it.partners, status);
    }
    return status;
}

static vks_status begin(struct solve *s)
{
    struct iteration *it = &s->it;
    s->stage = measured_first;
    if (!it->method->solve_direct)
        return iteration_measure_first(it);
    iteration_forget(it);
    it->column.norm = NAN;
    diagnosis_clear(&s->diagnosis);
    if (!s->strategies.chooses_method && !s->is_behind)
        return begin_direct(s);
    if (s->options.zero_guess)
        TRY(vks_vector_fill(it->equation.x, 0));
    return iteration_measure(it);
}

vks_status solve_begin(struct solve *s)
{
    s->report = s->of_setup;
    s->it.column.report = &s->report;
    s->report.seconds_setup = s->seconds_setup;
    s->report.together = s->it.batches.groups; /* 0 after a timeout */
    s->row = (struct row_progress){.budget = s->row.budget, .time = s->row.time};
    s->parts_of_b = (struct parts_of_b){0};
    s->null_part = (struct null_part){0};
    s->has_checked_parts = s->has_checked_null_part = false;
    return solve_pass(s, begin(s));
}
