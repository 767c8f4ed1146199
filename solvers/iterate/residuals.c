/* The norms of b and of true residuals. */
#include "report/clock.h"
#include "solvers/iterate/iterate.h"

#include <math.h>
#include <stdio.h>

/* Norm of b - A x, where b excludes its part in the null space. */
static double whole_norm(const struct column *c)
{
    return hypot(c->norm, c->part);
}

double relative_residual(const struct column *c)
{
    double norm = whole_norm(c);
    return norm == 0 ? 0 : norm / c->b_norm;
}

double relative_to_b(const struct column *c, double norm)
{
    return c->b_norm != 0 ? norm / c->b_norm : NAN;
}

double recurrence_of(const struct column *c)
{
    return sqrt(c->end.numbers.rr) * c->sigma;
}

/* The deciding norm of the residual, in units of the plain norm. */
static double measure_of(const struct column *c)
{
    const struct iteration *it = c->it;
    double scaled = in_plain_units(c, c->scaled);
    bool alone = it->options->norm == VKS_NORM_SCALED;
    return isnan(c->scaled_b) ? c->norm : alone ? scaled : fmax(c->norm, scaled);
}

static vks_status read_norms(struct column *c)
{
    struct iteration *it = c->it;
    vks_solve_report *report = c->report;
    bool is_finite;
    TRY(it->residual.ops->norm(&it->residual, c->target, &c->norm));
    TRY(residual_scaled_norm(&it->residual, &c->scaled));
    TRY(residual_x_is_finite(&it->residual, &is_finite));
    if (!is_finite)
        c->norm = c->scaled = NAN;
    c->measure = measure_of(c);
    c->part = residual_part_of_image(&it->residual);
    if (it->method->least_squares)
        TRY(residual_normal(&it->residual, c->norm, &c->normal));
    report->normal_residual = it->method->least_squares ? c->normal : NAN;
    report->true_residual = relative_residual(c);
    report->scaled_residual = c->scaled / c->scaled_b;
    report->exact_residual = it->residual.exact;
    return VKS_OK;
}

static vks_status submit(struct iteration *it, step next)
{
    uint64_t ticket = 0;
    TRY(it->residual.ops->measure(&it->residual, 1 / it->column.sigma, &ticket));
    if (it->method->least_squares)
        TRY(residual_measure_normal(&it->residual, &ticket));
    return await(it, ticket, next);
}

static vks_status assessed(struct iteration *it);

static vks_status assess(struct iteration *it)
{
    uint64_t ticket = 0;
    TRY(residual_assess(&it->residual, &ticket));
    return await(it, ticket, assessed);
}

static vks_status measured_exactly(struct iteration *it)
{
    TRY(read_norms(&it->column));
    return assess(it);
}

/* Ignores magnitudes beyond the range of doubles, which do not bound rounding errors. */
static vks_status assessed(struct iteration *it)
{
    struct column *c = &it->column;
    struct assessment *a = &c->assessment;
    vks_solve_report *report = c->report;
    TRY(residual_assessment(&it->residual, a));
    c->assessed = isfinite(a->magnitude) && isfinite(a->scaled);
    if (!c->assessed)
        return it->progress.measured(it);
    report->backward_error = a->backward;
    report->backward_error_row =
        it->options->order && a->row != UINT32_MAX ? it->options->order[a->row] : a->row;
    report->rounding_level = c->b_norm != 0 ? a->unit * a->magnitude / c->b_norm : NAN;
    bool is_uncertain = is_hidden_by_rounding(c) || (meets_one_of_two(c) && column_is_at_rounding(c));
    if (it->residual.exact || !is_uncertain)
        return it->progress.measured(it);
    TRY(residual_set_exact(&it->residual));
    return submit(it, measured_exactly);
}

vks_status assess_residual(struct iteration *it, step next)
{
    struct column *c = &it->column;
    it->progress.measured = next;
    bool can = residual_has_assessment(&it->residual) && isfinite(c->norm) && !it->partners.reported;
    if (c->assessed || !can)
        return next(it);
    return assess(it);
}

static vks_status measured_in_doubles(struct iteration *it)
{
    struct column *c = &it->column;
    TRY(read_norms(c));
    bool assesses = it->progress.is_last || c->measure <= c->target;
    return assesses ? assess_residual(it, it->progress.measured) : it->progress.measured(it);
}

vks_status measure_residual(struct iteration *it, step next)
{
    it->progress.measured = next;
    it->column.assessed = false;
    return submit(it, measured_in_doubles);
}

vks_status iteration_confirm(struct iteration *it)
{
    double norm = 0, b_norm = it->column.b_norm;
    if (!it->residual.ops->confirm || it->column.report->reason == VKS_REASON_CONVERGED)
        return VKS_OK;
    vks_status status = it->residual.ops->confirm(&it->residual, &norm);
    it->column.report->true_residual = b_norm != 0 ? norm / b_norm : 0;
    return status;
}

/* Reports the part of b in the null space of A. The rest of b counts as zero if rounding errors can explain
 * it. A part beyond the range of doubles is ignored: the norm of b is then not finite either. */
static void leave_out_part(struct column *c)
{
    struct iteration *it = c->it;
    double in_null_space = residual_part_of_b(&it->residual), rounding = 1e-14 * in_null_space;
    if (in_null_space == 0 || !isfinite(in_null_space))
        return;
    if (c->b_norm <= rounding)
        c->b_norm = 0;
    c->report->null_component = in_null_space / hypot(in_null_space, c->b_norm);
    if (in_null_space > fmax(it->options->rtol * c->b_norm, it->options->atol))
        snprintf(
            c->report->warning, sizeof c->report->warning,
            "A x = b has no solution: the part of b in the null space of A is %.3g times b; it was left out",
            c->report->null_component);
}

/* Sets the tolerances from the norms of b. */
static vks_status read_b(struct column *c)
{
    struct iteration *it = c->it;
    const vks_solve_options *o = it->options;
    TRY(residual_norm_of_b(&it->residual, &c->b_norm, &c->scaled_b));
    leave_out_part(c);
    c->target = fmax(o->rtol * c->b_norm, o->atol);
    if (!isfinite(c->scaled_b) || c->scaled_b <= 0 || o->atol > o->rtol * c->b_norm)
        c->scaled_b = NAN;
    c->report->norm_of_b = c->b_norm;
    c->report->row_range = residual_row_range(&it->residual);
    return VKS_OK;
}

static vks_status end(struct iteration *it)
{
    it->progress.is_last = false;
    return VKS_OK;
}

static vks_status b_measured(struct iteration *it)
{
    TRY(read_b(&it->column));
    return measured_in_doubles(it);
}

/* Measures b, and then the residual. */
static vks_status measure_both(struct iteration *it, step next)
{
    uint64_t ticket = 0;
    TRY(residual_begin(&it->residual));
    TRY(residual_measure_b(&it->residual, &ticket));
    it->progress.measured = end;
    it->column.assessed = false;
    return submit(it, next);
}

vks_status iteration_measure(struct iteration *it)
{
    it->progress.is_last = true;
    return measure_both(it, b_measured);
}

vks_status iteration_measure_again(struct iteration *it)
{
    it->progress.is_last = true;
    return measure_residual(it, end);
}

vks_status iteration_assess(struct iteration *it)
{
    return assess_residual(it, end);
}

/* For b = 0, after x = 0: the residual is zero, and its part in the null space is rounding. */
static vks_status zero_measured(struct iteration *it)
{
    struct column *c = &it->column;
    if (isfinite(c->norm))
        c->norm = c->measure = c->part = 0;
    c->report->true_residual = relative_residual(c);
    return VKS_OK;
}

/* If b = 0, sets x = 0, which is the solution unless A is not finite. */
static vks_status b_measured_first(struct iteration *it)
{
    uint64_t ticket;
    TRY(read_b(&it->column));
    if (it->column.b_norm != 0)
        return measured_in_doubles(it);
    TRY(rec_submit(&it->clear, &ticket));
    return measure_residual(it, zero_measured);
}

void iteration_forget(struct iteration *it)
{
    struct column *c = &it->column;
    it->progress = (struct progress){.begun = clock_seconds()};
    *c = (struct column){.it = it,
                         .report = c->report,
                         .limits = c->limits,
                         .state = c->state,
                         .scaled_b = NAN,
                         .sigma = 1,
                         .at_start = {INFINITY, INFINITY},
                         .tightening = 1};
}

vks_status iteration_measure_first(struct iteration *it)
{
    uint64_t ticket = 0;
    iteration_forget(it);
    it->krylov.starts = 0;
    set_goal(&it->column, 0, NULL, 0);
    if (it->options->zero_guess)
        TRY(rec_submit(&it->clear, &ticket));
    return measure_both(it, b_measured_first);
}
