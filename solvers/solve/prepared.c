/* Preconditioners of a set-up, each made on first use. */
#include "solvers/solve/solve.h"

/* All preconditioners of one kind have the same options. */
struct prepared *prepared_of(struct solve *s, const vks_precond_options *o)
{
    struct prepared *t = NULL, *free = NULL;
    for (struct prepared *p = s->precond; p < s->precond + MOST_PREPARED; p++) {
        if (p->M && p->options.kind == o->kind)
            t = p;
        if (!p->M && !free)
            free = p;
    }
    if (!t)
        t = free;
    t->options = *o;
    return t;
}

/* Makes an identity preconditioner for a refused system, which is never iterated on. */
static vks_status make_identity(struct solve *s, struct prepared *t)
{
    static const vks_precond_options nothing = {.kind = VKS_PRECOND_NONE};
    const struct krylov *k = &s->it.krylov;
    diagnosis_clear(&t->diagnosis);
    return t->M ? VKS_OK
                : precond_create(k->A, k->r.precision, s->it.method->use, &nothing, &t->diagnosis, &t->M);
}

vks_status prepare(struct solve *s, struct prepared *t)
{
    const struct krylov *k = &s->it.krylov;
    struct diagnosis *f = &t->diagnosis;
    vks_status status = VKS_OK;
    diagnosis_inherit(f, &s->diagnosis);
    if (scaled_refuses(&s->scaled))
        return make_identity(s, t);
    if (t->M && !t->is_stale)
        return VKS_OK;
    diagnosis_clear(f);
    if (t->M)
        status = precond_refresh(t->M, f);
    else if (strategies_choose_precond(&s->strategies)) /* otherwise the options are already checked */
        status = precond_check(k->A, &t->options);
    if (!status && !t->M)
        status = precond_create(k->A, k->r.precision, s->it.method->use, &t->options, f, &t->M);
    t->is_stale = status || f->reason == VKS_REASON_CANCELLED;
    return status;
}

void prepared_close(struct solve *s)
{
    for (int i = 0; i < MOST_PREPARED; i++) {
        precond_destroy(s->precond[i].M);
        s->precond[i] = (struct prepared){0};
    }
}
