/* The rounding level of the residual, below which no strategy lowers it; and an x that was dropped. */
#include "solvers/auto/roundoff_bound.h"
#include "solvers/solve/solve.h"

#include <math.h>
#include <stdio.h>

/* A residual above this share of b at rounding level may belong to an x that has grown along the null space
 * of A until it hides b. */
static const double useless = 1e-3;

/* The next strategy begins from zero. This x is kept for the end, the first time. */
static vks_status drop_x(struct solve *s)
{
    struct fallback *f = &s->fallback;
    struct progress *p = &s->it.progress;
    vks_vector *x = s->equation.x;
    if (f->x)
        return VKS_OK;
    vks_status status = vks_vector_create(x->context, x->n, x->precision, &f->x);
    if (forgive_lack_of_memory(s->it.message, status))
        return VKS_OK;
    TRY(status);
    TRY(vks_vector_copy(x, f->x));
    TRY(vks_vector_fill(x, 0));
    f->norm = p->norm;
    p->norm = p->b_norm;
    s->it.report->true_residual = 1;
    return VKS_OK;
}

vks_status take_better_x(struct solve *s)
{
    struct fallback *f = &s->fallback;
    struct progress *p = &s->it.progress;
    if (!f->x)
        return VKS_OK;
    vks_status status = VKS_OK;
    if (!(p->norm <= f->norm)) {
        status = vks_vector_copy(f->x, s->equation.x);
        p->norm = f->norm;
        s->it.report->true_residual = relative_residual(p);
    }
    vks_vector_destroy(f->x);
    f->x = NULL;
    return status;
}

/* The bound is unknown in pairs of floats. */
vks_status check_roundoff(struct solve *s, bool *ends)
{
    vks_solve_report *r = s->it.report;
    const struct progress *p = &s->it.progress;
    double bound = 0;
    *ends = false;
    if (!s->holds)
        return VKS_OK;
    vks_status status = roundoff_bound(&s->equation, &bound);
    if (forgive_lack_of_memory(s->it.message, status))
        return VKS_OK;
    TRY(status);
    if (!isfinite(bound) || !(p->norm <= bound))
        return VKS_OK;
    *ends = p->norm <= useless * p->b_norm;
    if (!*ends)
        return drop_x(s);
    s->at_rounding = true;
    r->reason = r->attempt[r->attempts - 1].reason = VKS_REASON_STAGNATED;
    r->row = UINT32_MAX;
    snprintf(
        r->detail, sizeof r->detail,
        "the true residual of %.3g is at rounding level: that of the exact x may be %.3g once it is rounded",
        r->true_residual, bound / p->b_norm);
    return VKS_OK;
}
