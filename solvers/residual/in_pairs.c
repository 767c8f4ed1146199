/* Iterations in f32 on a device without 64-bit floats, with A, b and x in pairs of 32-bit floats. The device
 * computes in pairs the residual at the start of each cycle, its norm, and the update of x. Near the end
 * cancellation costs a residual most of the 48 bits of its terms, so the residual in double precision, from
 * the host (on_host.c), ends the solve. */
#include "device/pair.h"
#include "solvers/residual/on_host.h"

#include <math.h>
#include <string.h>

struct in_pairs {
    struct memory r, numbers; /* b - A x; the numbers of the recordings */
    struct memory box;        /* host-visible copy of the numbers */
    double scale;             /* of the squared vector */
    struct reduction sums;
    struct rec measure;
};

/* Offsets of pairs in `numbers` and `box`: the published square; the scale of the squared vector; the scale
 * of the hand-over. */
enum { SQUARE = 0, SCALE = 8, HAND_OVER_SCALE = 16, NUMBERS_BYTES = 24 };
/* Range of squares from which the norm has all bits of a pair. */
static const double least_square = 0x1p-30, most_square = 0x1p60;
/* Scales that bring smaller or larger squares into the range of f32; a second scale refines them. */
static const double scale_up = 0x1p100, scale_down = 0x1p-100;
enum { SCALES_TRIED = 4 };

static pairs pair_at(const struct memory *m, uint64_t offset)
{
    return (pairs)(uintptr_t)(m->address + offset);
}

static void copy_pair(struct rec *r, const struct memory *from, const struct memory *to, uint64_t offset)
{
    copy_words(r, words_in(from, offset / 4), words_in(to, offset / 4), 2);
}

static void put(struct memory *box, uint64_t offset, double value)
{
    struct pair p = pair_of(value);
    memcpy((char *)box->mapped + offset, &p, sizeof p);
}

static vks_status record(struct residual *e)
{
    struct in_pairs *own = e->pairs;
    const struct equation *q = &e->equation;
    rec_create(&own->measure, e->device, PRECISION_F32);
    copy_pair(&own->measure, &own->box, &own->numbers, SCALE);
    pairs_residual(&own->measure, &q->A->csr, pairs_of(&q->x->memory), pairs_of(&q->b->memory),
                   pairs_of(&own->r));
    pairs_square(&own->measure, &own->sums, pair_at(&own->numbers, SCALE), pairs_of(&own->r),
                 pair_at(&own->numbers, SQUARE), q->x->n);
    copy_pair(&own->measure, &own->numbers, &own->box, SQUARE);
    return rec_prepare(&own->measure);
}

static vks_status open(struct residual *e)
{
    struct room *w = &e->room;
    TRY(on_host_open(e));
    struct in_pairs *own = e->pairs = room_host(w, sizeof *own, "the residual in pairs");
    if (!own)
        return w->status;
    own->r = room_memory(w, MEMORY_DEVICE, e->equation.x->n * (uint64_t)sizeof(struct pair),
                         "the residual in pairs");
    own->numbers = room_memory(w, MEMORY_DEVICE, NUMBERS_BYTES, "the solver's numbers");
    own->box = room_memory(w, MEMORY_SHARED, NUMBERS_BYTES, "a mailbox");
    own->sums = room_reduction(w, e->equation.x->n, 1);
    return w->status ? w->status : record(e);
}

static void close(struct residual *e)
{
    struct in_pairs *own = e->pairs;
    if (own)
        rec_destroy(&own->measure);
    on_host_close(e);
}

static vks_status measure(struct residual *e, double scale, uint64_t *ticket)
{
    struct in_pairs *own = e->pairs;
    own->scale = scale;
    put(&own->box, SCALE, scale);
    return rec_submit(&own->measure, ticket);
}

/* Returns a scale that brings `square`, measured with `scale`, near one. */
static double better_scale(double square, double scale)
{
    if (!isfinite(square) || square == 0)
        return square == 0 ? scale_up : scale_down;
    double exact = ldexp(scale, -ilogb(square) / 2);
    return fmin(fmax(exact, 0x1p-126), 0x1p126);
}

static double published_square(const struct in_pairs *own)
{
    struct pair p;
    memcpy(&p, (const char *)own->box.mapped + SQUARE, sizeof p);
    return pair_value(p);
}

static vks_status norm_in_pairs(struct residual *e, double *norm)
{
    struct in_pairs *own = e->pairs;
    double square = published_square(own);
    vks_status status = VKS_OK;
    for (int i = 1; !status && i < SCALES_TRIED && !(square >= least_square && square <= most_square); i++) {
        uint64_t ticket = 0;
        status = measure(e, better_scale(square, own->scale), &ticket);
        IF_OK(status, device_wait(e->device, ticket, DEVICE_WAIT_SECONDS));
        square = published_square(own);
    }
    *norm = sqrt(square) / own->scale;
    return status;
}

static vks_status confirm(struct residual *e, double *norm)
{
    uint64_t ticket = 0;
    TRY(on_host_measure(e, &ticket));
    TRY(device_wait(e->where, ticket, DEVICE_WAIT_SECONDS));
    return wide_norm(e, norm);
}

static vks_status norm(struct residual *e, double target, double *norm)
{
    TRY(norm_in_pairs(e, norm));
    return *norm <= target || e->scales ? confirm(e, norm) : VKS_OK;
}

static vks_status set_hand_over(struct residual *e, double scale)
{
    struct in_pairs *own = e->pairs;
    put(&own->box, HAND_OVER_SCALE, scale);
    return VKS_OK;
}

static void hand_over(struct rec *r, const struct residual *e)
{
    const struct in_pairs *own = e->pairs;
    copy_pair(r, &own->box, &own->numbers, HAND_OVER_SCALE);
    pairs_narrow(r, pair_at(&own->numbers, HAND_OVER_SCALE), pairs_of(&own->r), e->r);
}

/* Clears both halves of the array. */
static void clear(struct rec *r, const struct residual *e, number zero)
{
    const vks_vector *x = e->equation.x;
    for (uint64_t half = 0; half < 2; half++)
        fill(r, zero, vec_at((reals)words_in(&x->memory, half * x->n), x->n, PRECISION_F32));
}

static void set_gather(struct residual *e, double factor)
{
    put(&e->factor_box, 0, factor);
}

static void gather(struct rec *r, const struct residual *e, struct vec y)
{
    copy_words(r, words_of(&e->factor_box), words_of(&e->factor), 2);
    pairs_add(r, pairs_of(&e->factor), y, pairs_of(&e->equation.x->memory));
}

const struct residual_ops residual_in_pairs = {.open = open,
                                               .update_values = on_host_update_values,
                                               .take_b = on_host_take_b,
                                               .measure = measure,
                                               .norm = norm,
                                               .confirm = confirm,
                                               .set_hand_over = set_hand_over,
                                               .hand_over = hand_over,
                                               .clear = clear,
                                               .set_gather = set_gather,
                                               .gather = gather,
                                               .close = close};
