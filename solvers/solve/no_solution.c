/* The proof that A x = b has no solution, and its wording. It is attempted only after iterations have failed,
 * so successful solves pay nothing for it. */
#include "operator/operator.h"
#include "solvers/solve/solve.h"

#include <math.h>
#include <stdio.h>

/* Limit for the copy of A on the host. */
static const uint64_t most_bytes = (uint64_t)1 << 30;
/* Share of a residual that may be rounding in its measurement. */
static const double slack = 0x1p-20;

bool ended_by_caller(const struct solve *s)
{
    const vks_solve_report *r = s->it.column.report;
    uint32_t most = s->asked.max_iterations;
    return r->reason == VKS_REASON_CANCELLED ||
           (r->reason == VKS_REASON_ITERATION_LIMIT && most && r->iterations >= most);
}

/* Whether lack of a solution may have ended the solve. Named methods refuse or break down for other
 * causes. */
static bool may_lack_one(const struct solve *s)
{
    const struct iteration *it = &s->it;
    vks_reason reason = it->column.report->reason;
    bool asks_for_least = it->method->least_squares && !it->column.limits.needs_solution;
    bool has_entries = !operator_of(s->equation.A) && !s->equation.fixed_point && !s->options.partners;
    bool is_named =
        !s->strategies.chooses_method &&
        (diagnosis_refuses(&s->diagnosis) || it->method->solve_direct || reason == VKS_REASON_BREAKDOWN);
    bool is_good = reason == VKS_REASON_CONVERGED || reason == VKS_REASON_NOT_SINGULAR;
    bool is_spent = strategy_of(&s->strategies)->is_early && reason == VKS_REASON_ITERATION_LIMIT;
    return !is_good && !is_spent && !is_named && has_entries && !asks_for_least && !ended_by_caller(s) &&
           !s->options.null_space && isfinite(it->column.norm) && isfinite(it->column.b_norm);
}

/* Smallest measured ||b - A x||. */
static double least_residual(const struct solve *s)
{
    const vks_solve_report *r = s->it.column.report;
    double least = fmin(r->true_residual, r->initial_residual);
    for (uint32_t k = 0; k < r->attempts; k++)
        least = fmin(least, r->attempt[k].true_residual);
    return least * s->it.column.b_norm;
}

/* Whether some x has a residual below `norm`, the lower bound of a proof. */
static bool is_contradicted(const struct solve *s, double norm)
{
    return least_residual(s) < (1 - slack) * norm;
}

static void cancel(struct solve *s)
{
    s->it.progress.cancelled = true;
    s->it.column.report->reason = VKS_REASON_CANCELLED;
    s->it.column.report->detail[0] = 0;
}

static vks_status check_parts(struct solve *s)
{
    struct parts_of_b *of_b = &s->parts_of_b;
    struct demand demand = {.target = s->it.column.target,
                            .of_b = 2 * scalar_types[precision_of(s->equation.b->precision)].roundoff,
                            .of_x = scalar_types[precision_of(s->equation.x->precision)].roundoff};
    s->has_checked_parts = true;
    TRY(parts_find(s->equation.A, most_bytes, &s->diagnosis.caller, &s->parts));
    if (!s->parts.are_known)
        cancel(s);
    else
        TRY(parts_sum_b(&s->parts, s->equation.b, s->options.singular, &demand, of_b));
    if (is_contradicted(s, of_b->norm))
        *of_b = (struct parts_of_b){0};
    return VKS_OK;
}

bool suspects_no_solution(const struct solve *s)
{
    const struct iteration *it = &s->it;
    return it->column.end.control.state == STATE_NO_SOLUTION && !s->has_checked_null_part &&
           it->column.report->iterations < it->column.limits.iterations;
}

/* Runs once per solve. Skipped if a null space is declared: the examined vectors would not contain it. */
static vks_status check_null_part(struct solve *s)
{
    const struct column *c = &s->it.column;
    double rounding = c->assessed ? c->assessment.unit * c->assessment.magnitude : 0;
    s->has_checked_null_part = true;
    if (!may_lack_one(s) || lacks_solution(s) || s->options.singular)
        return VKS_OK;
    bool chooses = s->strategies.chooses_method;
    if (chooses) /* with a learned strategy, the facts may date from when A was still symmetric */
        TRY(strategies_refresh_facts(&s->strategies, s->equation.A));
    if (chooses && !(facts_conditions(&s->strategies.facts) & WHEN_SYMMETRIC))
        return VKS_OK;
    TRY(null_part_find(&s->equation, fmax(c->target, rounding), &s->null_part));
    s->null_part.is_proof &= !is_contradicted(s, s->null_part.norm);
    return VKS_OK;
}

/* Share of b above which a residual justifies inspecting A, which costs more than many solves; a larger share
 * for residuals within `near` times the rounding level, which are frequent in f32. */
static const double suspicious = 1e-3, suspicious_at_rounding = 0.1, near = 16;

vks_status prove_no_solution(struct solve *s)
{
    const struct column *c = &s->it.column;
    bool is_rounding = c->assessed && c->norm <= near * c->assessment.unit * c->assessment.magnitude;
    double share = is_rounding ? suspicious_at_rounding : suspicious;
    bool suspects = suspects_no_solution(s), is_large = c->norm > share * c->b_norm;
    vks_status status = VKS_OK;
    if (is_large && !s->has_checked_parts && may_lack_one(s))
        status = check_parts(s);
    if (!status && suspects && !s->it.progress.cancelled)
        status = check_null_part(s);
    return forgive_lack_of_memory(s->it.message, status) ? VKS_OK : status;
}

bool ends_out_of_reach(const struct solve *s)
{
    return s->null_part.is_out_of_reach && s->it.column.report->reason == VKS_REASON_STAGNATED &&
           s->it.column.end.control.state == STATE_NO_SOLUTION;
}

bool lacks_solution(const struct solve *s)
{
    return s->parts_of_b.count || s->null_part.is_proof;
}

/* Rows of a part, in the caller's numbering. */
struct range {
    uint32_t first, last, count;
};

static struct range range_of(const struct solve *s, const struct part *part)
{
    const uint32_t *order = s->options.order;
    struct range range = {UINT32_MAX, 0, part->end - part->begin};
    for (uint32_t k = part->begin; k < part->end; k++) {
        uint32_t row = order ? order[s->parts.row[k]] : s->parts.row[k];
        range.first = row < range.first ? row : range.first;
        range.last = row > range.last ? row : range.last;
    }
    return range;
}

static void name_rows(const struct range *range, char *text, size_t size)
{
    uint32_t first = range->first + 1, last = range->last + 1;
    if (range->count == 1)
        snprintf(text, size, "row %u", first);
    else if (last - first + 1 == range->count)
        snprintf(text, size, "rows %u to %u", first, last);
    else
        snprintf(text, size, "%u of the rows %u to %u", range->count, first, last);
}

/* Names the rows or columns of the part that are zero or sum to zero. */
static void name_part(const struct solve *s, const struct part *part, const struct range *range, char *text,
                      size_t size)
{
    char rows[48];
    const char *sums = part->rows_vanish ? "rows" : "columns";
    name_rows(range, rows, sizeof rows);
    if (!part->has_cols)
        snprintf(text, size, "%s of A is empty", rows);
    else if (range->count == s->equation.A->csr.n)
        snprintf(text, size, "the %s of A sum to zero", sums);
    else
        snprintf(text, size, "%s of A form a separate part whose %s sum to zero", rows, sums);
}

static void report_part(struct solve *s)
{
    const struct parts_of_b *of_b = &s->parts_of_b;
    const struct part *part = &s->parts.part[of_b->first];
    struct range range = range_of(s, part);
    vks_solve_report *r = s->it.column.report;
    bool is_all = range.count == s->equation.A->csr.n;
    char what[128], several[40] = "";
    name_part(s, part, &range, what, sizeof what);
    if (of_b->count > 1)
        snprintf(several, sizeof several, " (the first of %u such parts)", of_b->count);
    r->row = range.first;
    int used = snprintf(r->detail, sizeof r->detail, "%.120s%s, and b %s %.3g%s%s: ", what,
                        of_b->is_exact ? "" : " up to rounding", part->has_cols ? "sums to" : "is", of_b->sum,
                        is_all ? "" : " there", several);
    char *rest = r->detail + used;
    if (of_b->is_exact)
        snprintf(rest, sizeof r->detail - used, "A x = b has no solution, and no x has a residual below %.3g",
                 of_b->norm / s->it.column.b_norm);
    else
        snprintf(rest, sizeof r->detail - used,
                 "A is singular to the rounding of its entries, so rounding of a solution may exceed the "
                 "tolerance");
}

static void report_null_part(struct solve *s)
{
    const struct null_part *of_b = &s->null_part;
    vks_solve_report *r = s->it.column.report;
    char ending[120] =
        "A is singular to rounding, and A x = b has no solution, or none in reach of the precision";
    if (!of_b->is_proof)
        snprintf(ending, sizeof ending,
                 "a solution has a norm of at least %.1e, and is out of reach of the precision",
                 of_b->solution);
    r->row = s->options.order ? s->options.order[of_b->row] : of_b->row;
    snprintf(r->detail, sizeof r->detail,
             "A v is %.1e of |A| |v| for a v that is largest in row %u, and %.3g of b is along v: %s",
             of_b->image, r->row + 1, of_b->norm / s->it.column.b_norm, ending);
}

void report_no_solution(struct solve *s)
{
    if (lacks_solution(s))
        s->it.column.report->reason = VKS_REASON_SINGULAR;
    if (s->parts_of_b.count)
        report_part(s);
    else if (s->null_part.is_proof || ends_out_of_reach(s))
        report_null_part(s);
}
