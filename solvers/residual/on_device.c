/* The residual on the device of the solve, which has 64-bit floats. */
#include "solvers/residual/wide.h"

static vks_status open(struct residual *e)
{
    const struct equation *q = &e->equation;
    e->where = e->device;
    room_open(&e->wide_room, e->device);
    e->A = q->A->csr;
    e->product = operator_of(q->A);
    e->b = vec_of(q->b);
    e->x = vec_of(q->x);
    if (e->T)
        e->columns = e->T->csr;
    return wide_open(e);
}

static vks_status measure(struct residual *e, double scale, uint64_t *ticket)
{
    (void)scale;
    TRY(wide_begin(e, ticket));
    return wide_measure(e, ticket);
}

static vks_status norm(struct residual *e, double target, double *norm)
{
    (void)target;
    return wide_norm(e, norm);
}

static vks_status set_hand_over(struct residual *e, double scale)
{
    wide_set_scale(e, scale);
    return VKS_OK;
}

static void hand_over(struct rec *r, const struct residual *e)
{
    wide_hand_over(r, e, e->r);
}

static void clear(struct rec *r, const struct residual *e, number zero)
{
    fill(r, zero, e->x);
}

const struct residual_ops residual_on_device = {.open = open,
                                                .measure = measure,
                                                .norm = norm,
                                                .set_hand_over = set_hand_over,
                                                .hand_over = hand_over,
                                                .clear = clear,
                                                .set_gather = wide_set_gather,
                                                .gather = wide_gather};
