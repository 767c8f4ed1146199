/* The x that is saved where iterations may leave a worse one. */
#include "solvers/iterate/iterate.h"
#include "vector/verbs.h"

#include <math.h>

vks_status backup_open(struct iteration *it)
{
    struct backup *b = &it->backup;
    const vks_vector *x = it->equation.x;
    if (b->x)
        return VKS_OK;
    rec_create(&b->restore, it->device, moving_precision(it->device, x->precision));
    TRY(vks_vector_create(x->context, x->n, x->precision, &b->x));
    copy_elements(&b->restore, b->x, x);
    return rec_prepare(&b->restore);
}

void backup_record(struct rec *r, const struct iteration *it)
{
    const struct limits *l = &it->limits;
    if (it->backup.x && (l->keeps_best || l->may_worsen || it->method->corrects))
        copy_elements(r, it->equation.x, it->backup.x);
}

vks_status backup_restore(struct iteration *it, step next)
{
    uint64_t ticket;
    TRY(rec_submit(&it->backup.restore, &ticket));
    TRY(measure_residual(it, &ticket));
    return await(it, ticket, next);
}

static vks_status restored(struct iteration *it)
{
    return read_norms(it);
}

vks_status iteration_restore(struct iteration *it)
{
    return backup_restore(it, restored);
}

bool iteration_is_worse(const struct iteration *it)
{
    const struct progress *p = &it->progress;
    return isfinite(p->norm_at_start) && !(p->norm <= p->norm_at_start);
}

void backup_close(struct iteration *it)
{
    rec_destroy(&it->backup.restore);
    vks_vector_destroy(it->backup.x);
    it->backup = (struct backup){0};
}
