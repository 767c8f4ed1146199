/* The norms of b and of true residuals. */
#include "report/clock.h"
#include "solvers/iterate/iterate.h"

#include <math.h>
#include <stdio.h>

/* Norm of b - A x, where b excludes its part in the null space. */
static double whole_norm(const struct progress *p)
{
    return hypot(p->norm, p->part);
}

double relative_residual(const struct progress *p)
{
    double norm = whole_norm(p);
    return norm == 0 ? 0 : norm / p->b_norm;
}

double relative_to_b(const struct progress *p, double norm)
{
    return p->b_norm != 0 ? norm / p->b_norm : NAN;
}

double recurrence_of(const struct progress *p)
{
    return sqrt(p->end.numbers.rr) * p->sigma;
}

/* The deciding norm of the residual, in units of the plain norm. */
static double measure_of(const struct iteration *it)
{
    const struct progress *p = &it->progress;
    double scaled = in_plain_units(p, p->scaled);
    bool alone = it->options->norm == VKS_NORM_SCALED;
    return isnan(p->scaled_b) ? p->norm : alone ? scaled : fmax(p->norm, scaled);
}

static vks_status read_norms(struct iteration *it)
{
    struct progress *p = &it->progress;
    vks_solve_report *report = it->report;
    bool is_finite;
    TRY(it->residual.ops->norm(&it->residual, p->target, &p->norm));
    TRY(residual_scaled_norm(&it->residual, &p->scaled));
    TRY(residual_x_is_finite(&it->residual, &is_finite));
    if (!is_finite)
        p->norm = p->scaled = NAN;
    p->measure = measure_of(it);
    p->part = residual_part_of_image(&it->residual);
    if (it->method->least_squares)
        TRY(residual_normal(&it->residual, p->norm, &p->normal));
    report->normal_residual = it->method->least_squares ? p->normal : NAN;
    report->true_residual = relative_residual(p);
    report->scaled_residual = p->scaled / p->scaled_b;
    report->exact_residual = it->residual.exact;
    return VKS_OK;
}

static vks_status submit(struct iteration *it, step next)
{
    uint64_t ticket = 0;
    TRY(it->residual.ops->measure(&it->residual, 1 / it->progress.sigma, &ticket));
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
    TRY(read_norms(it));
    return assess(it);
}

/* Ignores magnitudes beyond the range of doubles, which do not bound rounding errors. */
static vks_status assessed(struct iteration *it)
{
    struct progress *p = &it->progress;
    struct assessment *a = &p->assessment;
    vks_solve_report *report = it->report;
    TRY(residual_assessment(&it->residual, a));
    p->assessed = isfinite(a->magnitude) && isfinite(a->scaled);
    if (!p->assessed)
        return p->measured(it);
    report->backward_error = a->backward;
    report->backward_error_row =
        it->options->order && a->row != UINT32_MAX ? it->options->order[a->row] : a->row;
    report->rounding_level = p->b_norm != 0 ? a->unit * a->magnitude / p->b_norm : NAN;
    bool is_doubtful = is_hidden_by_rounding(it) || (meets_one_of_two(it) && iteration_is_at_rounding(it));
    if (it->residual.exact || !is_doubtful)
        return p->measured(it);
    TRY(residual_set_exact(&it->residual));
    return submit(it, measured_exactly);
}

vks_status assess_residual(struct iteration *it, step next)
{
    struct progress *p = &it->progress;
    p->measured = next;
    bool can = residual_has_assessment(&it->residual) && isfinite(p->norm) && !it->partners.reported;
    if (p->assessed || !can)
        return next(it);
    return assess(it);
}

static vks_status measured_in_doubles(struct iteration *it)
{
    struct progress *p = &it->progress;
    TRY(read_norms(it));
    bool assesses = p->is_last || p->measure <= p->target;
    return assesses ? assess_residual(it, p->measured) : p->measured(it);
}

vks_status measure_residual(struct iteration *it, step next)
{
    it->progress.measured = next;
    it->progress.assessed = false;
    return submit(it, measured_in_doubles);
}

vks_status iteration_confirm(struct iteration *it)
{
    double norm = 0, b_norm = it->progress.b_norm;
    if (!it->residual.ops->confirm || it->report->reason == VKS_REASON_CONVERGED)
        return VKS_OK;
    vks_status status = it->residual.ops->confirm(&it->residual, &norm);
    it->report->true_residual = b_norm != 0 ? norm / b_norm : 0;
    return status;
}

/* Reports the part of b in the null space of A. The rest of b counts as zero if rounding errors can explain
 * it. A part beyond the range of doubles is ignored: the norm of b is then not finite either. */
static void leave_out_part(struct iteration *it)
{
    struct progress *p = &it->progress;
    double in_null_space = residual_part_of_b(&it->residual), rounding = 1e-14 * in_null_space;
    if (in_null_space == 0 || !isfinite(in_null_space))
        return;
    if (p->b_norm <= rounding)
        p->b_norm = 0;
    it->report->null_component = in_null_space / hypot(in_null_space, p->b_norm);
    if (in_null_space > fmax(it->options->rtol * p->b_norm, it->options->atol))
        snprintf(
            it->report->warning, sizeof it->report->warning,
            "A x = b has no solution: the part of b in the null space of A is %.3g times b; it was left out",
            it->report->null_component);
}

/* Sets the tolerances from the norms of b. */
static vks_status read_b(struct iteration *it)
{
    struct progress *p = &it->progress;
    const vks_solve_options *o = it->options;
    TRY(residual_norm_of_b(&it->residual, &p->b_norm, &p->scaled_b));
    leave_out_part(it);
    p->target = fmax(o->rtol * p->b_norm, o->atol);
    if (!isfinite(p->scaled_b) || p->scaled_b <= 0 || o->atol > o->rtol * p->b_norm)
        p->scaled_b = NAN;
    it->report->norm_of_b = p->b_norm;
    it->report->row_range = residual_row_range(&it->residual);
    return VKS_OK;
}

static vks_status end(struct iteration *it)
{
    it->progress.is_last = false;
    return VKS_OK;
}

static vks_status b_measured(struct iteration *it)
{
    TRY(read_b(it));
    return measured_in_doubles(it);
}

/* Measures b, and then the residual. */
static vks_status measure_both(struct iteration *it, step next)
{
    uint64_t ticket = 0;
    TRY(residual_begin(&it->residual));
    TRY(residual_measure_b(&it->residual, &ticket));
    it->progress.measured = end;
    it->progress.assessed = false;
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
    struct progress *p = &it->progress;
    if (isfinite(p->norm))
        p->norm = p->measure = p->part = 0;
    it->report->true_residual = relative_residual(p);
    return VKS_OK;
}

/* If b = 0, sets x = 0, which is the solution unless A is not finite. */
static vks_status b_measured_first(struct iteration *it)
{
    uint64_t ticket;
    TRY(read_b(it));
    if (it->progress.b_norm != 0)
        return measured_in_doubles(it);
    TRY(rec_submit(&it->clear, &ticket));
    return measure_residual(it, zero_measured);
}

vks_status iteration_measure_first(struct iteration *it)
{
    uint64_t ticket = 0;
    it->progress = (struct progress){.begun = clock_seconds(),
                                     .sigma = 1,
                                     .scaled_b = NAN,
                                     .at_start = {INFINITY, INFINITY},
                                     .tightening = 1};
    it->krylov.starts = 0;
    set_goal(it, 0, NULL, 0);
    if (it->options->zero_guess)
        TRY(rec_submit(&it->clear, &ticket));
    return measure_both(it, b_measured_first);
}
