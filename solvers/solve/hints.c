/* Suggestions after a failed solve, all decided here, except those from A itself (failure_hints.c). */
#include "solvers/solve/hints.h"
#include "operator/operator.h"
#include "solvers/hint_text.h"
#include "solvers/report_text.h"
#include "solvers/solve/solve.h"

#include <math.h>

void add_hint(struct solve *s, vks_hint hint)
{
    s->it.column.report->hints |= 1u << hint;
}

#define ON(NAME) (1u << VKS_REASON_##NAME)
#define STOPPED (ON(STAGNATED) | ON(ITERATION_LIMIT) | ON(BREAKDOWN))
#define BY_PRECISION (~(ON(CONVERGED) | ON(ITERATION_LIMIT) | ON(CANCELLED)))

/* A hint applies after one of `reasons` if all facts of `where` hold and none of `unless`. */
static const struct rule {
    vks_hint hint;
    unsigned reasons, where, unless;
} rules[] = {
    {VKS_HINT_TOLERANCE, ON(STAGNATED), X_IN_F32 | TOLERANCE_REACHED, 0},
    {VKS_HINT_TOLERANCE, ON(STAGNATED), AT_ROUNDING | TOLERANCE_REACHED, 0},
    {VKS_HINT_F64, ON(STAGNATED), X_IN_F32, 0},
    {VKS_HINT_NOT_IN_F32, BY_PRECISION, ITERATED_IN_F32, IN_PAIRS | NO_SOLUTION},
    {VKS_HINT_HOST, BY_PRECISION, ITERATED_IN_F32 | IN_PAIRS, NO_SOLUTION},
    {VKS_HINT_NO_NULL_SPACE, ON(NOT_SINGULAR), 0, 0},
    {VKS_HINT_NO_NULL_SPACE, STOPPED | ON(DIVERGED), NULL_SPACE | NOT_SYMMETRIC, 0},
    {VKS_HINT_LEAST_SQUARES, ON(STRUCTURALLY_SINGULAR), 0, 0},
    {VKS_HINT_LEAST_SQUARES, ON(SINGULAR), SINGULAR_ITSELF, 0},
    {VKS_HINT_DIRECT, STOPPED, AUTOMATIC,
     X_IN_F32 | LIMITED | AT_ROUNDING | NO_SOLUTION | ELIMINATED | NO_MEMORY | NULL_SPACE},
    {VKS_HINT_ITERATIONS, ON(ITERATION_LIMIT), LIMITED, 0},
    {VKS_HINT_INDEFINITE, ON(NOT_POSITIVE_DEFINITE), NAMED | BY_CG, 0},
    {VKS_HINT_AUTOMATIC, STOPPED | ON(DIVERGED), NAMED, LIMITED | AT_ROUNDING | NO_SOLUTION},
    {VKS_HINT_DIAGONAL, ON(ZERO_DIAGONAL), 0, 0},
};

unsigned hints_of(vks_reason reason, unsigned facts)
{
    unsigned hints = 0;
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
        const struct rule *r = &rules[k];
        if (r->reasons >> reason & 1 && !(r->where & ~facts) && !(r->unless & facts))
            hints |= 1u << r->hint;
    }
    return hints;
}

/* Whether an attempt ran an elimination. */
static bool has_eliminated(const vks_solve_report *r)
{
    bool has = false;
    for (uint32_t k = 0; k < r->attempts; k++)
        has |= solves_at_once(r->attempt[k].method) && r->attempt[k].reason != VKS_REASON_NOT_RUN;
    return has;
}

/* Whether the automatic method could replace the named one. */
static bool may_choose(const struct solve *s)
{
    return !s->strategies.chooses_method && !s->options.partners && !operator_of(s->equation.A) &&
           !s->equation.fixed_point;
}

static unsigned facts_of(const struct solve *s)
{
    const vks_solve_report *r = s->it.column.report;
    bool chooses = s->strategies.chooses_method, x_in_f32 = s->equation.x->precision == VKS_F32;
    const struct {
        unsigned fact;
        bool holds;
    } facts[] = {
        {X_IN_F32, x_in_f32},
        {ITERATED_IN_F32, !x_in_f32 && r->iterated_in == VKS_F32},
        {IN_PAIRS, r->in_pairs},
        {TOLERANCE_REACHED, !isnan(hint_tolerance(r->true_residual))},
        {AUTOMATIC, chooses},
        {NAMED, may_choose(s)},
        {BY_CG, r->method == VKS_METHOD_CG},
        {LIMITED, s->asked.max_iterations},
        {AT_ROUNDING, column_is_at_rounding(&s->it.column)},
        {NO_SOLUTION, lacks_solution(s)},
        {SINGULAR_ITSELF, chooses || s->it.method->solve_direct || lacks_solution(s)},
        {ELIMINATED, has_eliminated(r)},
        {NO_MEMORY, s->lacked_memory},
        {NULL_SPACE, s->projection},
        {NOT_SYMMETRIC, chooses && facts_conditions(&s->strategies.facts) & WHEN_NOT_SYMMETRIC},
    };
    unsigned found = 0;
    for (size_t k = 0; k < sizeof facts / sizeof *facts; k++)
        found |= facts[k].holds ? facts[k].fact : 0;
    return found;
}

void report_hints(struct solve *s)
{
    vks_solve_report *r = s->it.column.report;
    unsigned facts = facts_of(s);
    if (facts & NO_SOLUTION) /* other levels find no solution either */
        r->hints &= ~(1u << VKS_HINT_NODES);
    r->hints |= hints_of(r->reason, facts);
}
