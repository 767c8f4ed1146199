/* An x that was dropped because it may have grown along a null space of A. */
#include "solvers/solve/solve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

vks_status drop_x(struct solve *s)
{
    struct fallback *f = &s->fallback;
    struct column *c = &s->it.column;
    vks_vector *x = s->equation.x;
    bool is_first = !f->x;
    vks_status status = is_first ? vks_vector_create(x->context, x->n, x->precision, &f->x) : VKS_OK;
    if (forgive_lack_of_memory(s->it.message, status))
        return VKS_OK;
    TRY(status);
    if (is_first || size_is_worse(f->size, size_of_residual(c), c->target)) {
        TRY(vks_vector_copy(x, f->x));
        f->size = size_of_residual(c);
        f->scaled = c->scaled;
        f->true_residual = c->report->true_residual;
    }
    TRY(vks_vector_fill(x, 0));
    c->norm = c->measure = c->b_norm;
    c->scaled = c->scaled_b;
    c->assessed = false;
    c->report->true_residual = 1;
    return VKS_OK;
}

vks_status take_better_x(struct solve *s, bool *changed)
{
    struct fallback *f = &s->fallback;
    struct column *c = &s->it.column;
    vks_status status = VKS_OK;
    bool is_final = c->report->reason == VKS_REASON_CONVERGED;
    *changed = f->x && !is_final && size_is_worse(size_of_residual(c), f->size, c->target);
    if (*changed) {
        char *detail = c->report->detail;
        size_t used = strlen(detail), room = sizeof c->report->detail - used;
        snprintf(detail + used, room, "%sx is that of an earlier attempt", used ? "; " : "");
        status = vks_vector_copy(f->x, s->equation.x);
        c->measure = f->size.measure;
        c->norm = f->size.norm;
        c->scaled = f->scaled;
        c->assessed = false;
        c->report->true_residual = f->true_residual;
        c->report->scaled_residual = f->scaled / c->scaled_b;
    }
    vks_vector_destroy(f->x);
    f->x = NULL;
    return status;
}
