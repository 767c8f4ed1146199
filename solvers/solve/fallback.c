/* An x that was dropped, as it may have grown along a null space of A. */
#include "solvers/solve/solve.h"

#include <math.h>

vks_status drop_x(struct solve *s)
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
    f->measure = p->measure;
    f->true_residual = s->it.report->true_residual;
    p->norm = p->measure = p->b_norm;
    p->scaled = p->scaled_b;
    p->assessed = false;
    s->it.report->true_residual = 1;
    return VKS_OK;
}

vks_status take_better_x(struct solve *s, bool *changed)
{
    struct fallback *f = &s->fallback;
    struct progress *p = &s->it.progress;
    vks_status status = VKS_OK;
    *changed = f->x && !(p->measure <= f->measure);
    if (*changed) {
        status = vks_vector_copy(f->x, s->equation.x);
        p->measure = f->measure;
        s->it.report->true_residual = f->true_residual;
    }
    vks_vector_destroy(f->x);
    f->x = NULL;
    return status;
}
