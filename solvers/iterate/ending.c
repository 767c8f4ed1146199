/* The end of iterations: whether the tolerance is met, and the reason if not. */
#include "solvers/iterate/iterate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Share of the tolerance up to which the part of A x in the null space counts as rounding. The rest of the
 * residual is then lowered to make room for it. */
static const double rounding_share = 0.1;

/* Whether no x makes b - A x smaller. If columns have different units, the largest dominates ||A||, so any x
 * may seem good enough: the method, which scales columns, must also have met its goal. */
static bool is_least(const struct column *c)
{
    uint32_t state = c->end.control.state;
    bool has_met = state == STATE_MET || state == STATE_BREAKDOWN || c->normal == 0;
    return has_met && c->normal <= least_goal(c) && isfinite(c->norm);
}

/* Above this range of row magnitudes, the largest rows dominate least squares. */
static const double uneven = 1e6;

static void warn_of_weights(const struct column *c)
{
    vks_solve_report *r = c->report;
    if (r->row_range > uneven)
        snprintf(r->warning, sizeof r->warning,
                 "rows of A differ in size by %.1e: small ones hardly count in ||b - A x||; scale rows and b "
                 "if all matter equally",
                 r->row_range);
}

static void report_least(const struct column *c)
{
    vks_solve_report *report = c->report;
    double normal = c->normal, residual = relative_residual(c);
    if (c->limits.needs_solution) {
        report->reason = VKS_REASON_SINGULAR;
        report->row = UINT32_MAX;
        snprintf(report->detail, sizeof report->detail,
                 "A is singular, or nearly so, and A x = b has no solution, or one that is further than %.1e "
                 "||r|| / ||A|| from x: the residual is %.3g of b, and ||A^T r|| is %.3g ||A|| ||r||",
                 1 / normal, residual, normal);
    } else {
        report->reason = VKS_REASON_CONVERGED;
        report->least_squares = 1;
        warn_of_weights(c);
        snprintf(report->detail, sizeof report->detail,
                 "a least-squares solution: ||A^T r|| is %.3g ||A|| ||r||, and r = b - A x is %.3g of b",
                 normal, residual);
    }
}

/* Reports that A x has a part in the null space, which no iteration changes. */
static void report_not_singular(const struct column *c)
{
    const struct iteration *it = c->it;
    vks_solve_report *report = c->report;
    report->reason = isfinite(c->part) ? VKS_REASON_NOT_SINGULAR : VKS_REASON_NOT_FINITE;
    snprintf(report->detail, sizeof report->detail,
             "the part of A x in the null space is %.3g times b, the largest ||A v|| of its unit vectors "
             "%.3g: A is not singular or not symmetric, or the tolerance is below rounding",
             c->part / c->b_norm, residual_largest_image(&it->residual));
}

/* Also true if everything that iterations can lower meets the tolerance, while A x has a part in the null
 * space beyond rounding. */
bool column_is_solved(const struct column *c)
{
    const struct iteration *it = c->it;
    bool met = column_meets_plain(c) && column_meets_scaled(c);
    bool has_part = !(c->part <= rounding_share * c->target);
    bool is_solution = met || (has_part && c->measure <= c->target);
    if (it->method->least_squares && !met) {
        bool least = c->norm > c->target && is_least(c);
        if (least)
            report_least(c);
        return least;
    }
    if (!is_solution)
        return false;
    c->report->reason = VKS_REASON_CONVERGED;
    c->report->detail[0] = 0;
    c->report->row = UINT32_MAX;
    if (it->method->least_squares)
        warn_of_weights(c);
    if (!met)
        report_not_singular(c);
    return true;
}

/* At rounding level, a residual above this share of b may mean that x has grown along the null space of A
 * until it hides b. */
static const double useless = 1e-3;
/* An |A| |x| that exceeds b by this factor may mean the same. */
static const double grown = 1e6;

bool column_settle_at_rounding(const struct column *c)
{
    vks_solve_report *r = c->report;
    if (!column_is_at_rounding(c))
        return false;
    if (meets_one_of_two(c)) {
        r->reason = VKS_REASON_CONVERGED;
        r->row = UINT32_MAX;
        r->detail[0] = 0;
        column_warn_of_norms(c, "is at the level of rounding");
        return true;
    }
    bool may_have_grown = !(c->norm <= useless * c->b_norm && c->assessment.magnitude <= grown * c->b_norm);
    if (may_have_grown && !c->is_sure)
        return false;
    r->reason = VKS_REASON_STAGNATED;
    r->row = UINT32_MAX;
    snprintf(r->detail, sizeof r->detail,
             "the true residual of %.3g is at rounding level: rounding the exact x may leave %.3g",
             r->true_residual, r->rounding_level);
    return true;
}

static uint32_t number_of(const struct column *c, uint32_t row)
{
    const struct iteration *it = c->it;
    return (it->options->order ? it->options->order[row] : row) + 1;
}

void column_warn_of_norms(const struct column *c, const char *why)
{
    struct iteration *it = c->it;
    vks_solve_report *r = c->report;
    const struct row_extent *rows = &it->residual.rows;
    char named[96] = "";
    bool plain = column_meets_plain(c);
    bool can = residual_has_assessment(&it->residual) && !it->residual.partners;
    if (can && !residual_find_rows(&it->residual))
        snprintf(named, sizeof named, " (least: row %u, largest: row %u)", number_of(c, rows->least_row),
                 number_of(c, rows->largest_row));
    it->message->text[0] = 0;
    snprintf(r->warning, sizeof r->warning,
             "rows of A differ in size by %.1e%.56s: ||b - A x|| is %.2g of b, with rows divided by their "
             "sizes %.2g, which %s; the %s one %s",
             r->row_range, named, r->true_residual, r->scaled_residual,
             plain ? "misses the tolerance" : "meets it", plain ? "scaled" : "plain", why);
}

/* In lower precision, a nonpositive p.Ap says little about A once the residual has been lowered. */
vks_reason reason_of(const struct column *c, uint32_t state)
{
    const struct iteration *it = c->it;
    bool lowered = c->report->true_residual <= c->report->initial_residual / 2;
    if (it->refinement.widens && lowered && state == STATE_NOT_POSITIVE)
        return VKS_REASON_STAGNATED;
    return reason_of_state(state);
}

/* Explains the end by the state alone, if the method gave no explanation. */
static void explain_state(const struct column *c, struct diagnosis *f)
{
    const struct iteration *it = c->it;
    uint32_t k = c->end.control.iteration;
    if (c->report->reason == VKS_REASON_DIVERGED)
        diagnosis_detail(f, "the residual grew by more than %.0e until iteration %u", DIVERGENCE, k);
    else if (c->report->reason == VKS_REASON_STAGNATED && it->refinement.widens)
        diagnosis_detail(f, "%u iterations more do not halve the residual", k - c->iterations_before);
}

void explain(const struct column *c)
{
    const struct iteration *it = c->it;
    struct ending e = {.last = &c->end,
                       .norm = c->norm,
                       .target = c->target,
                       .normal = c->normal,
                       .rate = c->report->contraction,
                       .reason = c->report->reason};
    struct diagnosis f = {.order = it->order};
    if (it->method->explain)
        it->method->explain(&e, &f);
    if (!f.detail[0])
        explain_state(c, &f);
    memcpy(c->report->detail, f.detail, sizeof f.detail);
    column_add_precision(c);
}

void column_add_precision(const struct column *c)
{
    const struct iteration *it = c->it;
    if (it->refinement.widens)
        detail_add_f32(c->report->detail, sizeof c->report->detail);
}
