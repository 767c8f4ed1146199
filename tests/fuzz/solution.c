#include "solution.h"
#include "findings.h"

#include <stdlib.h>
#include <string.h>

static vks_status solve(const struct place *p, const vks_matrix *A, const vks_vector *b, vks_vector *x,
                        const vks_solve_options *o, bool fixed_point, vks_solve_report *report)
{
    if (fixed_point)
        return vks_fixed_point_solve(A, b, x, o, report);
    if (!p->kept || o->method == VKS_METHOD_GAUSS_JORDAN)
        return vks_solve(A, b, x, o, report);
    OWNED(vks_solver) *solver = NULL;
    vks_status status = vks_solver_create(A, o, &solver);
    if (!status)
        status = vks_solver_solve(solver, b, x, report);
    return status;
}

static void check_failure(const struct place *p, const struct solution *s)
{
    const char *message = vks_context_message(p->context);
    if (!is_refusal(s->status))
        finding("a solve on %s: %s: %s", p->name, vks_status_name(s->status), message);
    if (!message[0])
        finding("a solve on %s fails without a word: %s", p->name, vks_status_name(s->status));
    if (s->report.reason != VKS_REASON_NOT_RUN)
        finding("a solve on %s failed, with the reason %s", p->name, vks_reason_name(s->report.reason));
}

struct solution solve_at(const struct place *p, const struct system *s, const vks_matrix *A,
                         const vks_solve_options *options, bool fixed_point)
{
    struct solution result = {.x = room_for(s->cols, sizeof(double))};
    vks_solve_options o = *options;
    vks_vector *b = place_vector(p, s->precision, s->b, s->rows),
               *x = place_vector(p, s->precision, s->x, s->cols);
    vks_vector *null_vector[2] = {NULL};
    for (uint32_t k = 0; o.singular && k < s->null_count; k++)
        null_vector[k] = place_vector(p, s->precision, s->null_vector[k], s->rows);
    if (o.singular && s->null_count) {
        o.null_space = (const vks_vector *const *)null_vector;
        o.null_space_count = s->null_count;
    }
    o.history = result.history;
    o.history_capacity = HISTORY;
    result.status = solve(p, A, b, x, &o, fixed_point, &result.report);
    if (result.status)
        check_failure(p, &result);
    else if (vks_vector_read(x, 0, s->cols, VKS_F64, result.x))
        finding("x cannot be read on %s: %s", p->name, vks_context_message(p->context));
    vks_vector_destroy(b);
    vks_vector_destroy(x);
    for (int k = 0; k < 2; k++)
        vks_vector_destroy(null_vector[k]);
    return result;
}

static bool same_report(const vks_solve_report *a, const vks_solve_report *b)
{
    return a->reason == b->reason && a->iterations == b->iterations && a->restarts == b->restarts &&
           a->refinements == b->refinements && a->row == b->row && a->blocks == b->blocks &&
           a->history_count == b->history_count && same_bits(a->true_residual, b->true_residual) &&
           same_bits(a->initial_residual, b->initial_residual) && same_bits(a->residual, b->residual) &&
           same_bits(a->null_component, b->null_component) && same_bits(a->weight, b->weight) &&
           !strcmp(a->detail, b->detail) && !strcmp(a->warning, b->warning);
}

void compare_solutions(const struct solution *a, const char *where_a, const struct solution *b,
                       const char *where_b, uint32_t n, const char *how)
{
    const vks_solve_report *p = &a->report, *q = &b->report;
    if (a->status != b->status) {
        finding("%s: %s on %s, %s on %s", how, vks_status_name(a->status), where_a,
                vks_status_name(b->status), where_b);
        return;
    }
    if (a->status)
        return;
    if (!same_report(p, q)) {
        finding("%s: %s after %u, %a of %a, row %u, \"%s\" \"%s\" on %s; %s after %u, %a of %a, row %u, "
                "\"%s\" \"%s\" on %s",
                how, vks_reason_name(p->reason), p->iterations, p->true_residual, p->initial_residual, p->row,
                p->detail, p->warning, where_a, vks_reason_name(q->reason), q->iterations, q->true_residual,
                q->initial_residual, q->row, q->detail, q->warning, where_b);
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        if (!same_bits(a->x[i], b->x[i])) {
            finding("%s: x[%u] of %u is %a on %s, %a on %s", how, i, n, a->x[i], where_a, b->x[i], where_b);
            return;
        }
    for (uint32_t i = 0; i < p->history_count; i++)
        if (!same_bits(a->history[i], b->history[i])) {
            finding("%s: history[%u] is %a on %s, %a on %s", how, i, a->history[i], where_a, b->history[i],
                    where_b);
            return;
        }
}

void solution_free(struct solution *s)
{
    free(s->x);
    *s = (struct solution){0};
}
