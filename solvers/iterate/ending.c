/* The end of iterations: whether the tolerance is met, and the reason if not. */
#include "solvers/iterate/iterate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Share of the tolerance up to which the part of A x in the null space counts as rounding. The rest of the
 * residual then makes room for it. */
static const double rounding_share = 0.1;

/* Whether no x makes b - A x smaller. If columns have different units, the largest dominates ||A||, so any x
 * may seem good enough: the method, which scales columns, must also have met its goal. */
static bool is_least(const struct iteration *it)
{
    const struct progress *p = &it->progress;
    uint32_t state = p->end.control.state;
    bool has_met = state == STATE_MET || state == STATE_BREAKDOWN || p->normal == 0;
    return has_met && p->normal <= least_goal(it) && isfinite(p->norm);
}

/* Above this range of row magnitudes, the largest rows dominate least squares. */
static const double uneven = 1e6;

static void warn_of_weights(const struct iteration *it)
{
    vks_solve_report *r = it->report;
    if (r->row_range > uneven)
        snprintf(
            r->warning, sizeof r->warning,
            "rows of A differ in size by %.1e: small ones hardly count in ||b - A x||; scale rows and b, if "
            "all matter as much",
            r->row_range);
}

static void report_least(const struct iteration *it)
{
    vks_solve_report *report = it->report;
    double normal = it->progress.normal, residual = relative_residual(&it->progress);
    if (it->limits.needs_solution) {
        report->reason = VKS_REASON_SINGULAR;
        report->row = UINT32_MAX;
        snprintf(report->detail, sizeof report->detail,
                 "A is singular, or nearly so, and A x = b has no solution, or one that is further than %.1e "
                 "||r|| / ||A|| from x: the residual is %.3g of b, and ||A^T r|| is %.3g ||A|| ||r||",
                 1 / normal, residual, normal);
    } else {
        report->reason = VKS_REASON_CONVERGED;
        report->least_squares = 1;
        warn_of_weights(it);
        snprintf(report->detail, sizeof report->detail,
                 "a least-squares solution: ||A^T r|| is %.3g ||A|| ||r||, and r = b - A x is %.3g of b",
                 normal, residual);
    }
}

/* Reports that A x has a part in the null space, which no iteration changes. */
static void report_not_singular(const struct iteration *it)
{
    vks_solve_report *report = it->report;
    const struct progress *p = &it->progress;
    report->reason = isfinite(p->part) ? VKS_REASON_NOT_SINGULAR : VKS_REASON_NOT_FINITE;
    snprintf(report->detail, sizeof report->detail,
             "the part of A x in the null space is %.3g times b, the largest ||A v|| of its unit vectors "
             "%.3g: A is not singular or not symmetric, or the tolerance is below rounding",
             p->part / p->b_norm, residual_largest_image(&it->residual));
}

/* Also true if everything that iterations can lower meets the tolerance, while A x has a part in the null
 * space beyond rounding. */
bool iteration_is_solved(const struct iteration *it)
{
    const struct progress *p = &it->progress;
    bool met = iteration_meets_plain(it) && iteration_meets_scaled(it);
    bool has_part = !(p->part <= rounding_share * p->target);
    bool is_solution = met || (has_part && p->measure <= p->target);
    if (it->method->least_squares && !met) {
        bool least = p->norm > p->target && is_least(it);
        if (least)
            report_least(it);
        return least;
    }
    if (!is_solution)
        return false;
    it->report->reason = VKS_REASON_CONVERGED;
    it->report->detail[0] = 0;
    it->report->row = UINT32_MAX;
    if (it->method->least_squares)
        warn_of_weights(it);
    if (!met)
        report_not_singular(it);
    return true;
}

/* At rounding level, a residual above this share of b may mean that x has grown along the null space of A
 * until it hides b. */
static const double useless = 1e-3;
/* So may an |A| |x| that exceeds b by this factor. */
static const double grown = 1e6;

bool iteration_settle_at_rounding(struct iteration *it)
{
    const struct progress *p = &it->progress;
    vks_solve_report *r = it->report;
    if (!iteration_is_at_rounding(it))
        return false;
    if (meets_one_of_two(it)) {
        r->reason = VKS_REASON_CONVERGED;
        r->row = UINT32_MAX;
        r->detail[0] = 0;
        iteration_warn_of_norms(it, "is at the level of rounding");
        return true;
    }
    bool may_have_grown = !(p->norm <= useless * p->b_norm && p->assessment.magnitude <= grown * p->b_norm);
    if (may_have_grown && !p->is_sure)
        return false;
    r->reason = VKS_REASON_STAGNATED;
    r->row = UINT32_MAX;
    snprintf(
        r->detail, sizeof r->detail,
        "the true residual of %.3g is at rounding level: that of the exact x may be %.3g once it is rounded",
        r->true_residual, r->rounding_level);
    return true;
}

static uint32_t number_of(const struct iteration *it, uint32_t row)
{
    return (it->options->order ? it->options->order[row] : row) + 1;
}

void iteration_warn_of_norms(struct iteration *it, const char *why)
{
    vks_solve_report *r = it->report;
    const struct row_extent *rows = &it->residual.rows;
    char named[96] = "";
    bool plain = iteration_meets_plain(it);
    bool can = residual_has_assessment(&it->residual) && !it->residual.partners;
    if (can && !residual_find_rows(&it->residual))
        snprintf(named, sizeof named, " (least: row %u, largest: row %u)", number_of(it, rows->least_row),
                 number_of(it, rows->largest_row));
    it->message->text[0] = 0;
    snprintf(r->warning, sizeof r->warning,
             "rows of A differ in size by %.1e%.56s: ||b - A x|| is %.2g of b, with rows divided by their "
             "sizes %.2g, which %s; the %s one %s",
             r->row_range, named, r->true_residual, r->scaled_residual,
             plain ? "misses the tolerance" : "meets it", plain ? "scaled" : "plain", why);
}

/* In lower precision a p.Ap that is not positive says little about A once the residual has been lowered. */
vks_reason reason_of(const struct iteration *it, uint32_t state)
{
    bool lowered = it->report->true_residual <= it->report->initial_residual / 2;
    if (it->refinement.widens && lowered && state == STATE_NOT_POSITIVE)
        return VKS_REASON_STAGNATED;
    switch (state) {
    case STATE_LIMIT:
        return VKS_REASON_ITERATION_LIMIT;
    case STATE_NOT_POSITIVE:
        return VKS_REASON_NOT_POSITIVE_DEFINITE;
    case STATE_NOT_FINITE:
        return VKS_REASON_NOT_FINITE;
    case STATE_DIVERGED:
        return VKS_REASON_DIVERGED;
    case STATE_BREAKDOWN:
        return VKS_REASON_BREAKDOWN;
    default:
        return VKS_REASON_STAGNATED;
    }
}

/* Explains the end by the state alone, if the method gave no explanation. */
static void explain_state(const struct iteration *it, struct diagnosis *f)
{
    uint32_t k = it->progress.end.control.iteration;
    if (it->report->reason == VKS_REASON_DIVERGED)
        diagnosis_detail(f, "the residual grew by more than %.0e until iteration %u", DIVERGENCE, k);
    else if (it->report->reason == VKS_REASON_STAGNATED && it->refinement.widens)
        diagnosis_detail(f, "%u iterations more do not halve the residual",
                         k - it->progress.iterations_before);
}

void explain(const struct iteration *it)
{
    const struct progress *p = &it->progress;
    struct ending e = {.last = &p->end,
                       .norm = p->norm,
                       .target = p->target,
                       .normal = p->normal,
                       .rate = it->report->contraction,
                       .reason = it->report->reason};
    struct diagnosis f = {.order = it->order};
    if (it->method->explain)
        it->method->explain(&e, &f);
    if (!f.detail[0])
        explain_state(it, &f);
    memcpy(it->report->detail, f.detail, sizeof f.detail);
    iteration_add_precision(it);
}

void iteration_add_precision(const struct iteration *it)
{
    if (it->refinement.widens)
        detail_add_f32(it->report->detail, sizeof it->report->detail);
}
