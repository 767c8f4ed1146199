/* The best x, which is kept where iterations may leave a worse one. */
#include "solvers/run/run.h"
#include "vector/verbs.h"

vks_status best_open(struct solve *s)
{
    struct best *b = &s->best;
    const vks_vector *x = s->equation.x;
    if (b->x)
        return VKS_OK;
    rec_create(&b->restore, s->device, moving_precision(s->device, x->precision));
    vks_status status = vks_vector_create(x->context, x->n, x->precision, &b->x);
    if (status)
        return status;
    copy_elements(&b->restore, b->x, x);
    return rec_prepare(&b->restore);
}

bool best_is_kept_to_the_end(const struct solve *s)
{
    return s->best.x && (s->chain.is || s->method->least_squares);
}

bool best_is_kept(const struct solve *s)
{
    return s->best.x && (best_is_kept_to_the_end(s) || s->method->corrects || attempts_may_fail(s));
}

void best_record(struct rec *r, const struct solve *s)
{
    if (best_is_kept(s))
        copy_elements(r, s->equation.x, s->best.x);
}

vks_status best_restore(struct solve *s, step next)
{
    uint64_t ticket;
    vks_status status = rec_submit(&s->best.restore, &ticket);
    if (!status)
        status = measure_residual(s, &ticket);
    return status ? status : await(s, ticket, next);
}

void best_close(struct solve *s)
{
    rec_destroy(&s->best.restore);
    vks_vector_destroy(s->best.x);
    s->best = (struct best){0};
}
