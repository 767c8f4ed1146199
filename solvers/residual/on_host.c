#include "solvers/residual/on_host.h"

#include <stdlib.h>

enum { PIECE = 1 << 22 };

/* The arrays of a matrix. */
struct copy {
    struct memory row, col, val;
    struct long_rows long_rows;
};

struct on_host {
    void *piece; /* of an array during a copy to or from the host */
    struct copy A, T;
    struct memory b, x;             /* x also returns b - A x */
    struct user_operator *operator; /* the operator of A on the copies of its arrays; NULL: A has entries */
    struct memory array[VKS_OPERATOR_ARRAYS];
    struct rec hand_over;
};

/* Copies an array between devices through host memory, in pieces; converts pairs of floats to doubles. */
static vks_status copy_across(const struct on_host *own, struct device *from, const struct memory *source,
                              bool pairs, struct device *to, struct memory *target)
{
    char *piece = own->piece;
    for (uint64_t done = 0; done < source->bytes; done += PIECE) {
        uint64_t some = source->bytes - done < PIECE ? source->bytes - done : PIECE;
        TRY(pairs ? download_values(from, source, VKS_F64, done / 8, some / 8, VKS_F64, piece)
                  : device_read(from, source, done, piece, some));
        TRY(device_write(to, target, done, piece, some));
    }
    return VKS_OK;
}

/* Whether A, b and x are in pairs of floats on the device. */
static bool from_pairs(const struct residual *e)
{
    return in_pairs(e->device, e->equation.b->precision);
}

static vks_status clone(struct residual *e, const struct memory *source, bool pairs, struct memory *target)
{
    *target = room_memory(&e->wide_room, MEMORY_DEVICE, source->bytes, "a copy on the host");
    return e->wide_room.status ? e->wide_room.status
                               : copy_across(e->copies, e->device, source, pairs, e->where, target);
}

static vks_status clone_matrix(struct residual *e, const vks_matrix *A, struct copy *own, struct csr *to)
{
    *to = A->csr;
    vks_status status = clone(e, &A->row, false, &own->row);
    IF_OK(status, clone(e, &A->col, false, &own->col));
    IF_OK(status, clone(e, &A->val, from_pairs(e), &own->val));
    to->row = words_of(&own->row);
    to->col = words_of(&own->col);
    to->val = (values)(uintptr_t)own->val.address;
    if (!status && A->csr.longs) {
        own->long_rows = long_rows_counts(A->csr.longs);
        to->longs = &own->long_rows;
        status = long_rows_create(e->where, to, &own->long_rows);
    }
    return status;
}

static vks_status clone_entries(struct residual *e)
{
    struct on_host *own = e->copies;
    TRY(clone_matrix(e, e->equation.A, &own->A, &e->A));
    return e->T ? clone_matrix(e, e->T, &own->T, &e->columns) : VKS_OK;
}

/* Copies the arrays of an operator. */
static vks_status clone_arrays(struct residual *e)
{
    const struct user_operator *o = operator_of(e->equation.A);
    struct on_host *own = e->copies;
    vks_status status = VKS_OK;
    for (uint32_t k = 0; k < VKS_OPERATOR_ARRAYS && !status; k++) {
        struct memory *copy = &own->array[k];
        const struct memory *array = o->array[k] ? &o->array[k]->memory : NULL;
        if (array && !copy->handle)
            status = clone(e, array, false, copy);
        else if (array)
            status = copy_across(own, e->device, array, false, e->where, copy);
        own->operator->call.view.array[k] = copy->mapped;
    }
    return status;
}

static vks_status clone_operator(struct residual *e)
{
    struct on_host *own = e->copies;
    struct user_operator *copy = room_host(&e->wide_room, sizeof *copy, "an operator");
    if (!copy)
        return e->wide_room.status;
    *copy = *operator_of(e->equation.A);
    e->product = own->operator= copy;
    return clone_arrays(e);
}

static vks_status clone_vectors(struct residual *e)
{
    const struct equation *q = &e->equation;
    struct on_host *own = e->copies;
    enum precision p = matrix_precision(q->A);
    vks_status status = clone(e, &q->b->memory, from_pairs(e), &own->b);
    uint64_t of_b = q->b->memory.bytes, of_x = q->x->memory.bytes;
    own->x = room_memory(&e->wide_room, MEMORY_DEVICE, of_b > of_x ? of_b : of_x, "a copy on the host");
    e->b = vec_in(&own->b, q->b->n, p);
    e->x = vec_in(&own->x, q->x->n, p);
    return status ? status : e->wide_room.status;
}

vks_status on_host_open(struct residual *e)
{
    struct device_options o = {.team = e->device->team};
    struct on_host *own = e->copies = room_host(&e->room, sizeof *own, "the residual on the host");
    if (own)
        own->piece = room_host(&e->room, PIECE, "transfers");
    TRY(e->room.status);
    TRY(device_host_create(e->message, &o, &e->where));
    room_open(&e->wide_room, e->where);
    TRY(operator_of(e->equation.A) ? clone_operator(e) : clone_entries(e));
    TRY(clone_vectors(e));
    return wide_open(e);
}

void on_host_close(struct residual *e)
{
    struct on_host *own = e->copies;
    if (!e->where)
        return;
    long_rows_destroy(e->where, &own->A.long_rows);
    long_rows_destroy(e->where, &own->T.long_rows);
    rec_destroy(&own->hand_over);
    wide_close(e);
    device_destroy(e->where);
    e->where = NULL;
}

static vks_status open(struct residual *e)
{
    TRY(on_host_open(e));
    struct on_host *own = e->copies;
    rec_create(&own->hand_over, e->where, e->x.precision);
    wide_hand_over(&own->hand_over, e, vec_in(&own->x, e->b.n, e->x.precision));
    return rec_prepare(&own->hand_over);
}

vks_status on_host_update_values(struct residual *e)
{
    struct on_host *own = e->copies;
    if (e->product)
        return clone_arrays(e);
    TRY(copy_across(own, e->device, &e->equation.A->val, from_pairs(e), e->where, &own->A.val));
    return e->T ? copy_across(own, e->device, &e->T->val, from_pairs(e), e->where, &own->T.val) : VKS_OK;
}

vks_status on_host_take_b(struct residual *e)
{
    struct on_host *own = e->copies;
    return copy_across(own, e->device, &e->equation.b->memory, from_pairs(e), e->where, &own->b);
}

/* Complete on return: the host has finished its submissions. */
vks_status on_host_measure(struct residual *e, uint64_t *ticket)
{
    struct on_host *own = e->copies;
    TRY(copy_across(own, e->device, &e->equation.x->memory, from_pairs(e), e->where, &own->x));
    return wide_measure(e, ticket);
}

static vks_status measure(struct residual *e, double scale, uint64_t *ticket)
{
    (void)scale;
    return on_host_measure(e, ticket);
}

static vks_status norm(struct residual *e, double target, double *norm)
{
    (void)target;
    return wide_norm(e, norm);
}

static vks_status set_hand_over(struct residual *e, double scale)
{
    struct on_host *own = e->copies;
    uint64_t ticket;
    wide_set_scale(e, scale);
    vks_status status = rec_submit(&own->hand_over, &ticket);
    struct memory r = own->x;
    r.bytes = e->r_memory->bytes;
    return status ? status : copy_across(own, e->where, &r, false, e->device, e->r_memory);
}

/* Records nothing: the residual is already in place. */
static void hand_over(struct rec *r, const struct residual *e)
{
    (void)r, (void)e;
}

static void clear(struct rec *r, const struct residual *e, number zero)
{
    fill(r, zero, vec_of(e->equation.x));
}

const struct residual_ops residual_on_host = {.open = open,
                                              .update_values = on_host_update_values,
                                              .take_b = on_host_take_b,
                                              .measure = measure,
                                              .norm = norm,
                                              .set_hand_over = set_hand_over,
                                              .hand_over = hand_over,
                                              .clear = clear,
                                              .set_gather = wide_set_gather,
                                              .gather = wide_gather,
                                              .close = on_host_close};
