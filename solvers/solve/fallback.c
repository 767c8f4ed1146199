/* An x that was dropped, as it may have grown along a null space of A. */
#include "solvers/solve/solve.h"

#include <math.h>

vks_status drop_x(struct solve *s)
{
    struct fallback *f = &s->fallback;
    struct progress *p = &s->it.progress;
    vks_vector *x = s->equation.x;
    bool is_first = !f->x;
    vks_status status = is_first ? vks_vector_create(x->context, x->n, x->precision, &f->x) : VKS_OK;
    if (forgive_lack_of_memory(s->it.message, status))
        return VKS_OK;
    TRY(status);
    if (is_first || p->measure < f->measure) {
        TRY(vks_vector_copy(x, f->x));
        f->measure = p->measure;
        f->norm = p->norm;
        f->scaled = p->scaled;
        f->true_residual = s->it.report->true_residual;
    }
    TRY(vks_vector_fill(x, 0));
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
        p->norm = f->norm;
        p->scaled = f->scaled;
        p->assessed = false;
        s->it.report->true_residual = f->true_residual;
        s->it.report->scaled_residual = f->scaled / p->scaled_b;
    }
    vks_vector_destroy(f->x);
    f->x = NULL;
    return status;
}
