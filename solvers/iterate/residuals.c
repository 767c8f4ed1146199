/* The norms of b and of true residuals. */
#include "report/clock.h"
#include "solvers/iterate/iterate.h"

#include <math.h>
#include <stdio.h>

/* The norm of b - A x, where b is without its part in the null space. */
static double whole_norm(const struct progress *p)
{
    return hypot(p->norm, p->part);
}

double relative_residual(const struct progress *p)
{
    double norm = whole_norm(p);
    return norm == 0 ? 0 : norm / p->b_norm;
}

double recurrence_of(const struct progress *p)
{
    return sqrt(p->end.numbers.rr) * p->sigma;
}

vks_status measure_residual(struct iteration *it, uint64_t *ticket)
{
    TRY(it->residual.ops->measure(&it->residual, 1 / it->progress.sigma, ticket));
    return it->method->least_squares ? residual_measure_normal(&it->residual, ticket) : VKS_OK;
}

vks_status read_norms(struct iteration *it)
{
    struct progress *p = &it->progress;
    TRY(it->residual.ops->norm(&it->residual, p->target, &p->norm));
    p->part = residual_part_of_image(&it->residual);
    if (it->method->least_squares)
        TRY(residual_normal(&it->residual, p->norm, &p->normal));
    it->report->normal_residual = it->method->least_squares ? p->normal : NAN;
    it->report->true_residual = relative_residual(p);
    return VKS_OK;
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

/* Reports the part of b in the null space of A. If the rest of b is as small as rounding errors, it counts as
 * zero. A part beyond the range of doubles is ignored: the norm of b is then not finite either. */
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

static vks_status measured(struct iteration *it)
{
    struct progress *p = &it->progress;
    TRY(residual_norm_of_b(&it->residual, &p->b_norm));
    leave_out_part(it);
    it->report->norm_of_b = p->b_norm;
    p->target = fmax(it->options->rtol * p->b_norm, it->options->atol);
    return read_norms(it);
}

static vks_status measure(struct iteration *it, step then)
{
    uint64_t ticket = 0;
    TRY(residual_measure_b(&it->residual, &ticket));
    TRY(measure_residual(it, &ticket));
    return await(it, ticket, then);
}

vks_status iteration_measure(struct iteration *it)
{
    return measure(it, measured);
}

/* b = 0: the residual is that of x = 0, whose part in the null space is rounding. */
static vks_status zero_measured(struct iteration *it)
{
    struct progress *p = &it->progress;
    TRY(read_norms(it));
    if (isfinite(p->norm))
        p->norm = p->part = 0;
    it->report->true_residual = relative_residual(p);
    return VKS_OK;
}

/* The solution for b = 0 is x = 0, unless A is not finite. */
static vks_status measured_first(struct iteration *it)
{
    uint64_t ticket;
    TRY(measured(it));
    if (it->progress.b_norm != 0)
        return VKS_OK;
    TRY(rec_submit(&it->clear, &ticket));
    TRY(measure_residual(it, &ticket));
    return await(it, ticket, zero_measured);
}

vks_status iteration_measure_first(struct iteration *it)
{
    uint64_t ticket = 0;
    it->progress =
        (struct progress){.begun = clock_seconds(), .sigma = 1, .norm_at_start = INFINITY, .tightening = 1};
    it->krylov.starts = 0;
    set_goal(it, 0, NULL, 0);
    if (it->options->zero_guess)
        TRY(rec_submit(&it->clear, &ticket));
    return measure(it, measured_first);
}
