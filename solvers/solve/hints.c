/* What to try after a solve that failed, by its options and its reason. failure_hints.c adds what A itself
 * shows. */
#include "operator/operator.h"
#include "solvers/hint_text.h"
#include "solvers/solve/solve.h"

#include <math.h>

void add_hint(struct solve *s, vks_hint hint)
{
    s->it.report->hints |= 1u << hint;
}

static bool is_one_of(vks_reason reason, unsigned reasons)
{
    return reasons >> reason & 1;
}

enum {
    STOPPED = 1 << VKS_REASON_STAGNATED | 1 << VKS_REASON_ITERATION_LIMIT | 1 << VKS_REASON_BREAKDOWN,
    NOT_BY_PRECISION = 1 << VKS_REASON_CONVERGED | 1 << VKS_REASON_ITERATION_LIMIT | 1 << VKS_REASON_CANCELLED
};

/* Whether A itself is known to be singular, not only a block of it. */
static bool is_singular(const struct solve *s)
{
    vks_reason reason = s->it.report->reason;
    bool is_of_A = s->strategies.chooses_method || s->it.method->solve_direct;
    return reason == VKS_REASON_STRUCTURALLY_SINGULAR || (reason == VKS_REASON_SINGULAR && is_of_A);
}

/* Whether the automatic method may be used in place of the one that was named. */
static bool may_choose(const struct solve *s)
{
    return !s->strategies.chooses_method && !s->options.partners && !operator_of(s->equation.A) &&
           !s->equation.fixed_point;
}

static void hint_at_precision(struct solve *s)
{
    const vks_solve_report *r = s->it.report;
    bool in_f32 = s->equation.x->precision == VKS_F32;
    if (in_f32 && r->reason == VKS_REASON_STAGNATED)
        add_hint(s, isnan(hint_tolerance(r->true_residual)) ? VKS_HINT_F64 : VKS_HINT_TOLERANCE);
    if (!in_f32 && r->iterated_in == VKS_F32 && !is_one_of(r->reason, NOT_BY_PRECISION))
        add_hint(s, r->in_pairs ? VKS_HINT_HOST : VKS_HINT_NOT_IN_F32);
}

static void hint_at_methods(struct solve *s)
{
    const vks_solve_report *r = s->it.report;
    bool in_f32 = s->equation.x->precision == VKS_F32, is_limited = s->asked.max_iterations;
    bool indefinite = r->reason == VKS_REASON_NOT_POSITIVE_DEFINITE && r->method == VKS_METHOD_CG;
    if (s->strategies.chooses_method && !in_f32 && !is_limited && is_one_of(r->reason, STOPPED))
        add_hint(s, VKS_HINT_DIRECT);
    if (is_limited && r->reason == VKS_REASON_ITERATION_LIMIT)
        add_hint(s, VKS_HINT_ITERATIONS);
    if (may_choose(s) && indefinite)
        add_hint(s, VKS_HINT_INDEFINITE);
    if (may_choose(s) && !is_limited && is_one_of(r->reason, STOPPED | 1 << VKS_REASON_DIVERGED))
        add_hint(s, VKS_HINT_AUTOMATIC);
}

void report_hints(struct solve *s)
{
    vks_reason reason = s->it.report->reason;
    hint_at_precision(s);
    hint_at_methods(s);
    if (is_singular(s))
        add_hint(s, VKS_HINT_LEAST_SQUARES);
    if (reason == VKS_REASON_NOT_SINGULAR)
        add_hint(s, VKS_HINT_NO_NULL_SPACE);
    if (reason == VKS_REASON_ZERO_DIAGONAL)
        add_hint(s, VKS_HINT_DIAGONAL);
}
