/* Expected cost of sparse factors of A, which places their strategy in the list. */
#include "solvers/solve/solve.h"

/* Returns the method in the list that can promise a cost; NULL: none. */
static const struct method *promising(const struct strategies *l)
{
    for (uint32_t row = 0; row < l->count; row++) {
        const vks_solve_options o = {.method = l->row[row].method};
        const struct method *method = method_of(&(struct equation){0}, &o);
        if (method->promise)
            return method;
    }
    return NULL;
}

/* Rules factors out if the method is not available, or if memory is lacking. */
static vks_status take(struct facts *f, struct message *m, vks_status status)
{
    bool lacks = lacks_memory(status) || status == VKS_UNSUPPORTED;
    f->is_promised = f->may_factor = !status;
    if (!lacks)
        return status;
    m->text[0] = 0;
    return VKS_OK;
}

vks_status solve_promise(struct solve *s)
{
    struct facts *f = &s->strategies.facts;
    const struct method *method = promising(&s->strategies);
    if (!method || !f->may_factor || f->is_promised)
        return VKS_OK;
    return take(f, s->it.message, method->promise(&s->equation, kept_of(s, method), &f->promise));
}

vks_status promise_if_small(struct solve *s)
{
    return facts_may_begin_with_factors(&s->strategies.facts) ? solve_promise(s) : VKS_OK;
}

vks_status promise_for_plan(const vks_matrix *A, struct strategies *l)
{
    struct facts *f = &l->facts;
    const struct method *method = promising(l);
    void *kept = NULL;
    if (!method || !f->may_factor || !f->square)
        return VKS_OK;
    vks_status status = method->promise(&(struct equation){.A = A}, &kept, &f->promise);
    method->forget(kept);
    return take(f, &A->context->message, status);
}

bool promises_after(const struct solve *s)
{
    const struct strategies *l = &s->strategies;
    return l->chooses_method && strategy_of(l)->yields &&
           facts_open_conditions(&l->facts) & WHEN_FACTORS_EARLY;
}
