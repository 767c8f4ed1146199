/* Backup of x, for iterations that may worsen it. */
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
    rec_create(&b->save, it->device, moving_precision(it->device, x->precision));
    copy_elements(&b->save, x, b->x);
    TRY(rec_prepare(&b->restore));
    return rec_prepare(&b->save);
}

void backup_record(struct rec *r, const struct iteration *it)
{
    copy_elements(r, it->equation.x, it->backup.x);
}

vks_status backup_restore(struct iteration *it, step next)
{
    uint64_t ticket;
    TRY(rec_submit(&it->backup.restore, &ticket));
    return measure_residual(it, next);
}

vks_status backup_save(struct iteration *it)
{
    uint64_t ticket;
    it->column.at_start = size_of_residual(&it->column);
    return rec_submit(&it->backup.save, &ticket);
}

vks_status iteration_restore(struct iteration *it)
{
    uint64_t ticket;
    TRY(rec_submit(&it->backup.restore, &ticket));
    return iteration_measure_again(it);
}

bool column_left_plain(const struct column *c)
{
    return c->at_start.norm <= c->target && !(c->norm <= c->target);
}

bool column_is_worse(const struct column *c)
{
    return isfinite(c->at_start.measure) && size_is_worse(size_of_residual(c), c->at_start, c->target);
}

void backup_close(struct iteration *it)
{
    rec_destroy(&it->backup.restore);
    rec_destroy(&it->backup.save);
    vks_vector_destroy(it->backup.x);
    it->backup = (struct backup){0};
}
