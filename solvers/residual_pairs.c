/* Iterations in f32 on a device without 64-bit floats, where A, b and x are pairs of 32-bit ones: the
 * residual from which each cycle goes on, its norm, and the step of x are computed on the device in such
 * pairs. Near its end a residual has lost to cancellation most of the 48 bits that its terms have; so what
 * ends the solve is the residual in double precision, from the host (residual.c). */
#include "device/pair.h"
#include "solvers/solver.h"

#include <math.h>
#include <string.h>

/* Where a pair stands in e->numbers and e->box: the square that is published; the scale of what is squared,
 * and that of the hand-over. */
enum { SQUARE = 0, SCALE = 8, HAND_OVER_SCALE = 16, NUMBERS_BYTES = 24 };
/* Squares in between tell the norm to all bits of a pair. */
static const double least_square = 0x1p-30, most_square = 0x1p60;
/* Scales that bring what is below or above that into the range of f32, which a second one refines. */
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

void pairs_put(struct memory *box, uint64_t offset, double value)
{
    struct pair p = pair_of(value);
    memcpy((char *)box->mapped + offset, &p, sizeof p);
}

vks_status pairs_setup(struct solve *s, const vks_matrix *A, const vks_vector *b, vks_vector *x)
{
    struct pairs_residual *e = &s->pairs;
    struct device *d = e->device = s->device;
    rec_create(&e->measure, d, PRECISION_F32);
    vks_status status = device_allocate(d, MEMORY_DEVICE, s->n * (uint64_t)sizeof(struct pair),
                                        "the residual in pairs", &e->r);
    if (!status)
        status = device_allocate(d, MEMORY_DEVICE, NUMBERS_BYTES, "the solver's numbers", &e->numbers);
    if (!status)
        status = device_allocate(d, MEMORY_SHARED, NUMBERS_BYTES, "a mailbox", &e->box);
    if (!status)
        status = reduction_create(d, s->n, 1, &e->reduction);
    if (status)
        return status;
    copy_pair(&e->measure, &e->box, &e->numbers, SCALE);
    pairs_residual(&e->measure, &A->csr, pairs_of(&x->memory), pairs_of(&b->memory), pairs_of(&e->r));
    pairs_square(&e->measure, &e->reduction, pair_at(&e->numbers, SCALE), pairs_of(&e->r),
                 pair_at(&e->numbers, SQUARE), s->n);
    copy_pair(&e->measure, &e->numbers, &e->box, SQUARE);
    return rec_prepare(&e->measure);
}

void pairs_release(struct solve *s)
{
    struct pairs_residual *e = &s->pairs;
    if (!e->device)
        return;
    rec_destroy(&e->measure);
    device_release(e->device, &e->r);
    device_release(e->device, &e->numbers);
    device_release(e->device, &e->box);
    reduction_destroy(e->device, &e->reduction);
}

static vks_status measure(struct pairs_residual *e, double scale, uint64_t *ticket)
{
    e->scale = scale;
    pairs_put(&e->box, SCALE, scale);
    return rec_submit(&e->measure, ticket);
}

/* What is left of the residual is near what the cycle was to leave. */
vks_status pairs_measure(struct solve *s, uint64_t *ticket)
{
    return measure(&s->pairs, 1 / s->course.sigma, ticket);
}

/* The scale at which a square like that, measured at another, would be near one. */
static double better_scale(double square, double scale)
{
    if (!isfinite(square) || square == 0)
        return square == 0 ? scale_up : scale_down;
    double exact = ldexp(scale, -ilogb(square) / 2);
    return fmin(fmax(exact, 0x1p-126), 0x1p126);
}

static double published_square(const struct pairs_residual *e)
{
    struct pair p;
    memcpy(&p, (const char *)e->box.mapped + SQUARE, sizeof p);
    return pair_value(p);
}

vks_status pairs_norm(struct solve *s, double *norm)
{
    struct pairs_residual *e = &s->pairs;
    double square = published_square(e);
    vks_status status = VKS_OK;
    for (int i = 1; !status && i < SCALES_TRIED && !(square >= least_square && square <= most_square); i++) {
        uint64_t ticket = 0;
        status = measure(e, better_scale(square, e->scale), &ticket);
        if (!status)
            status = device_wait(e->device, ticket, DEVICE_WAIT_SECONDS);
        square = published_square(e);
    }
    *norm = sqrt(square) / e->scale;
    return status;
}

vks_status pairs_tell(struct solve *s)
{
    double norm = 0, b_norm = s->course.b_norm;
    if (s->report->reason == VKS_REASON_CONVERGED)
        return VKS_OK;
    vks_status status = residual_confirmed(s, &norm);
    s->report->true_residual = b_norm != 0 ? norm / b_norm : 0;
    return status;
}

void pairs_hand_over(struct solve *s, double scale)
{
    pairs_put(&s->pairs.box, HAND_OVER_SCALE, scale);
}

void pairs_record(struct rec *r, const struct solve *s)
{
    const struct pairs_residual *e = &s->pairs;
    copy_pair(r, &e->box, &e->numbers, HAND_OVER_SCALE);
    pairs_narrow(r, pair_at(&e->numbers, HAND_OVER_SCALE), pairs_of(&e->r), s->workspace.vector[0], s->n);
}

void pairs_record_zero(struct rec *r, const struct solve *s, const vks_vector *x)
{
    uint64_t half = x->memory.address + s->n * (uint64_t)sizeof(float);
    solve_record_zero(r, s, vector_address(x));
    solve_record_zero(r, s, (reals)(uintptr_t)half);
}
