/* The true residual b - A x, in double precision. A device without 64-bit floats cannot compute it: then the
 * host device does, from copies of A and b that are made once, and of x each time, with the twins of the same
 * kernels and so with the same bits. */
#include "operator/operator.h"
#include "solvers/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 22 };
/* Where a double stands in e->numbers and in e->box: the squares that recordings leave and publish; the scale
 * that they take, which is set on the device; and that of the hand-over, which is set in the box. */
enum { SQUARE = 0, SQUARE_OF_B = 8, SCALE = 16, HAND_OVER_SCALE = 24, NUMBERS_BYTES = 32 };

vks_status copy_across(struct device *from, const struct memory *source, struct device *to,
                       struct memory *target)
{
    char *piece = malloc(PIECE);
    vks_status status = piece ? VKS_OK : fail_memory(from->message, "a transfer", PIECE);
    for (uint64_t done = 0; !status && done < source->bytes; done += PIECE) {
        uint64_t some = source->bytes - done < PIECE ? source->bytes - done : PIECE;
        status = device_read(from, source, done, piece, some);
        if (!status)
            status = device_write(to, target, done, piece, some);
    }
    free(piece);
    return status;
}

static vks_status clone(struct solve *s, const struct memory *source, struct memory *target)
{
    struct residual *e = &s->residual;
    vks_status status =
        device_allocate(e->device, MEMORY_DEVICE, source->bytes, "a copy on the host", target);
    return status ? status : copy_across(s->device, source, e->device, target);
}

/* The operands on the host: e->A, e->b and room for x. */
static vks_status clone_operands(struct solve *s, const vks_matrix *A, const vks_vector *b)
{
    struct residual *e = &s->residual;
    struct device_options o = {0};
    vks_status status = device_host_create(s->message, &o, &e->device);
    if (!status)
        status = clone(s, &A->row, &e->copy[0]);
    if (!status)
        status = clone(s, &A->col, &e->copy[1]);
    if (!status)
        status = clone(s, &A->val, &e->copy[2]);
    if (!status)
        status = clone(s, &b->memory, &e->copy[3]);
    if (!status)
        status =
            device_allocate(e->device, MEMORY_DEVICE, b->memory.bytes, "a copy on the host", &e->copy[4]);
    e->A.row = words_of(&e->copy[0]);
    e->A.col = words_of(&e->copy[1]);
    e->A.val = (values)(uintptr_t)e->copy[2].address;
    e->b = (reals)(uintptr_t)e->copy[3].address;
    e->x = (reals)(uintptr_t)e->copy[4].address;
    if (!status && A->csr.longs) {
        e->long_rows = long_rows_counts(A->csr.longs);
        e->A.longs = &e->long_rows;
        status = long_rows_create(e->device, &e->A, &e->long_rows);
    }
    return status;
}

static doubles number_at(const struct residual *e, uint64_t offset)
{
    return (doubles)(uintptr_t)(e->numbers.address + offset);
}

static u32s words_at(const struct memory *m, uint64_t offset)
{
    return (u32s)(uintptr_t)(m->address + offset);
}

static void publish(struct rec *r, const struct residual *e, uint64_t offset)
{
    copy_words(r, words_at(&e->numbers, offset), words_at(&e->box, offset), 2);
}

/* r = b - A x as it has been measured, scaled. */
static void hand_over(struct rec *r, const struct residual *e, reals to, uint32_t n)
{
    copy_words(r, words_at(&e->box, HAND_OVER_SCALE), words_at(&e->numbers, HAND_OVER_SCALE), 2);
    narrow(r, number_at(e, HAND_OVER_SCALE), (doubles)(uintptr_t)e->wide.address, to, n);
}

static vks_status record(struct solve *s, struct residual *e)
{
    doubles wide = (doubles)(uintptr_t)e->wide.address;
    struct rec *all[] = {&e->measure, &e->measure_b, &e->hand_over};
    for (int i = 0; i < 3; i++)
        rec_create(all[i], e->device, s->given);
    if (e->A.longs)
        csr_residual_long(&e->measure, &e->A, e->x, wide);
    if (e->of_operator.source)
        operator_residual_record(&e->measure, s);
    else
        csr_residual(&e->measure, &e->A, e->x, e->b, wide, s->system.fixpoint);
    square_of_doubles(&e->measure, &e->reduction, number_at(e, SCALE), wide, number_at(e, SQUARE), s->n);
    publish(&e->measure, e, SQUARE);
    wide_square(&e->measure_b, &e->reduction, number_at(e, SCALE), e->b, number_at(e, SQUARE_OF_B), s->n);
    publish(&e->measure_b, e, SQUARE_OF_B);
    if (e->elsewhere)
        hand_over(&e->hand_over, e, e->x, s->n);
    vks_status status = VKS_OK;
    for (int i = 0; i < 3 && !status; i++)
        status = rec_prepare(all[i]);
    return status;
}

vks_status residual_setup(struct solve *s, const vks_matrix *A, const vks_vector *b, vks_vector *x)
{
    struct residual *e = &s->residual;
    *e = (struct residual){.device = s->device,
                           .A = A->csr,
                           .b = vector_address(b),
                           .x = vector_address(x),
                           .b_memory = &b->memory,
                           .x_memory = &x->memory};
    e->elsewhere = !s->device->info.f64;
    vks_status status = e->elsewhere ? clone_operands(s, A, b) : VKS_OK;
    if (!status && operator_of(A))
        status = operator_residual_setup(s);
    if (status)
        return status;
    status = device_allocate(e->device, MEMORY_DEVICE, s->n * (uint64_t)8, "the residual in double precision",
                             &e->wide);
    if (!status)
        status =
            device_allocate(e->device, MEMORY_DEVICE, NUMBERS_BYTES, "the solver's numbers", &e->numbers);
    if (!status)
        status = device_allocate(e->device, MEMORY_SHARED, NUMBERS_BYTES, "a mailbox", &e->box);
    if (!status)
        status = reduction_create(e->device, s->n, 1, &e->reduction);
    static const double one = 1;
    if (!status)
        status = device_write(e->device, &e->numbers, SCALE, &one, sizeof one);
    return status ? status : record(s, e);
}

void residual_release(struct solve *s)
{
    struct residual *e = &s->residual;
    if (!e->device)
        return;
    rec_destroy(&e->measure);
    rec_destroy(&e->measure_b);
    rec_destroy(&e->hand_over);
    for (int i = 0; i < 5; i++)
        device_release(e->device, &e->copy[i]);
    long_rows_destroy(e->device, &e->long_rows);
    operator_residual_release(s);
    device_release(e->device, &e->wide);
    device_release(e->device, &e->numbers);
    device_release(e->device, &e->box);
    reduction_destroy(e->device, &e->reduction);
    if (e->elsewhere)
        device_destroy(e->device);
}

/* The root of the square that `measure`, which has ended, has left at `offset`. Where squares left the range
 * of doubles it is asked again for scaled values. The scale is 1 before and after. */
static vks_status norm_of(struct residual *e, struct rec *measure, uint64_t offset, double *norm)
{
    static const double one = 1, up = 0x1p900, down = 0x1p-600, smallest = 1e-280;
    const double *square = (const double *)((const char *)e->box.mapped + offset);
    uint64_t ticket = 0;
    *norm = sqrt(*square);
    if (*square >= smallest && isfinite(*square))
        return VKS_OK;
    const double *scale = *square < smallest ? &up : &down;
    vks_status status = device_write(e->device, &e->numbers, SCALE, scale, sizeof *scale);
    if (!status)
        status = rec_submit(measure, &ticket);
    if (!status)
        status = device_wait(e->device, ticket, DEVICE_WAIT_SECONDS);
    *norm = sqrt(*square) / *scale;
    return status ? status : device_write(e->device, &e->numbers, SCALE, &one, sizeof one);
}

vks_status residual_take_values(struct solve *s)
{
    struct residual *e = &s->residual;
    if (e->of_operator.source)
        return operator_residual_take_values(s);
    return e->elsewhere ? copy_across(s->device, &s->A->val, e->device, &e->copy[2]) : VKS_OK;
}

vks_status residual_take_b(struct solve *s)
{
    struct residual *e = &s->residual;
    return e->elsewhere ? copy_across(s->device, e->b_memory, e->device, &e->copy[3]) : VKS_OK;
}

/* (What is done elsewhere has ended when it has been submitted.) */
vks_status residual_measure(struct solve *s, uint64_t *ticket)
{
    struct residual *e = &s->residual;
    vks_status status = e->elsewhere ? copy_across(s->device, e->x_memory, e->device, &e->copy[4]) : VKS_OK;
    return status ? status : rec_submit(&e->measure, ticket);
}

vks_status residual_measure_b(struct solve *s, uint64_t *ticket)
{
    return rec_submit(&s->residual.measure_b, ticket);
}

vks_status residual_norm(struct solve *s, double *norm)
{
    return norm_of(&s->residual, &s->residual.measure, SQUARE, norm);
}

vks_status residual_norm_of_b(struct solve *s, double *norm)
{
    return norm_of(&s->residual, &s->residual.measure_b, SQUARE_OF_B, norm);
}

vks_status residual_hand_over(struct solve *s, double scale)
{
    struct residual *e = &s->residual;
    memcpy((char *)e->box.mapped + HAND_OVER_SCALE, &scale, sizeof scale);
    if (!e->elsewhere)
        return VKS_OK;
    uint64_t ticket;
    vks_status status = rec_submit(&e->hand_over, &ticket);
    return status ? status : copy_across(e->device, &e->copy[4], s->device, &s->vectors[0]);
}

void residual_record(struct rec *r, const struct solve *s)
{
    if (!s->residual.elsewhere)
        hand_over(r, &s->residual, s->workspace.vector[0], s->n);
}
