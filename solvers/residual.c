/* The true residual b - A x, in double precision. A device without 64-bit floats cannot compute it: then the
 * host device does, from copies of A and b that are made once, and of x each time, with the twins of the same
 * kernels and so with the same bits. */
#include "solvers/solver.h"

#include <math.h>
#include <stdlib.h>

enum { PIECE = 1 << 22 };
/* Where a double stands in e->numbers: the square that a recording leaves, and the scales that it takes. */
enum { SQUARE = 0, HAND_OVER_SCALE = 8, SQUARE_SCALE = 16, NUMBERS_BYTES = 24 };

/* Copies an array between the devices of a solve, through host memory, in pieces. */
static vks_status copy_across(struct device *from, const struct memory *source, struct device *to,
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
    e->A.row = (u32s)(uintptr_t)e->copy[0].address;
    e->A.col = (u32s)(uintptr_t)e->copy[1].address;
    e->A.val = (reals)(uintptr_t)e->copy[2].address;
    e->b = (reals)(uintptr_t)e->copy[3].address;
    e->x = (reals)(uintptr_t)e->copy[4].address;
    return status;
}

static doubles number_at(const struct residual *e, uint64_t offset)
{
    return (doubles)(uintptr_t)(e->numbers.address + offset);
}

vks_status residual_setup(struct solve *s, const vks_matrix *A, const vks_vector *b, vks_vector *x)
{
    struct residual *e = &s->residual;
    *e = (struct residual){.device = s->device,
                           .A = A->csr,
                           .b = vector_address(b),
                           .x = vector_address(x),
                           .x_memory = &x->memory};
    e->elsewhere = !s->device->info.f64;
    vks_status status = e->elsewhere ? clone_operands(s, A, b) : VKS_OK;
    if (status)
        return status;
    status = device_allocate(e->device, MEMORY_DEVICE, s->n * (uint64_t)8, "the residual in double precision",
                             &e->wide);
    if (!status)
        status =
            device_allocate(e->device, MEMORY_DEVICE, NUMBERS_BYTES, "the solver's numbers", &e->numbers);
    if (!status)
        status = reduction_create(e->device, s->n, 1, &e->reduction);
    static const double one = 1;
    if (!status)
        status = device_write(e->device, &e->numbers, SQUARE_SCALE, &one, sizeof one);
    doubles wide = (doubles)(uintptr_t)e->wide.address;
    reals r = e->elsewhere ? e->x : s->workspace.vector[0];
    rec_create(&e->compute, e->device, s->precision);
    csr_residual(&e->compute, &e->A, e->x, e->b, wide);
    rec_create(&e->square_residual, e->device, s->precision);
    square_of_doubles(&e->square_residual, &e->reduction, number_at(e, SQUARE_SCALE), wide,
                      number_at(e, SQUARE), s->n);
    rec_create(&e->square_b, e->device, s->precision);
    wide_square(&e->square_b, &e->reduction, number_at(e, SQUARE_SCALE), e->b, number_at(e, SQUARE), s->n);
    rec_create(&e->hand_over, e->device, s->precision);
    narrow(&e->hand_over, number_at(e, HAND_OVER_SCALE), wide, r, s->n);
    struct rec *all[] = {&e->compute, &e->square_residual, &e->square_b, &e->hand_over};
    for (int i = 0; i < 4 && !status; i++)
        status = rec_prepare(all[i]);
    return status;
}

void residual_release(struct solve *s)
{
    struct residual *e = &s->residual;
    if (!e->device)
        return;
    rec_destroy(&e->compute);
    rec_destroy(&e->square_residual);
    rec_destroy(&e->square_b);
    rec_destroy(&e->hand_over);
    for (int i = 0; i < 5; i++)
        device_release(e->device, &e->copy[i]);
    device_release(e->device, &e->wide);
    device_release(e->device, &e->numbers);
    reduction_destroy(e->device, &e->reduction);
    if (e->elsewhere)
        device_destroy(e->device);
}

/* The root of what `square` computes. Where squares left the range of doubles it is asked again for scaled
 * values. The scale is 1 before and after. */
static vks_status norm_of(struct residual *e, struct rec *square, double *norm)
{
    static const double one = 1, up = 0x1p900, down = 0x1p-600, smallest = 1e-280;
    double result = 0;
    uint64_t ticket;
    vks_status status = rec_submit(square, &ticket);
    if (!status)
        status = device_read(e->device, &e->numbers, SQUARE, &result, sizeof result);
    *norm = sqrt(result);
    if (status || (result >= smallest && isfinite(result)))
        return status;
    const double *scale = result < smallest ? &up : &down;
    status = device_write(e->device, &e->numbers, SQUARE_SCALE, scale, sizeof *scale);
    if (!status)
        status = rec_submit(square, &ticket);
    if (!status)
        status = device_read(e->device, &e->numbers, SQUARE, &result, sizeof result);
    *norm = sqrt(result) / *scale;
    return status ? status : device_write(e->device, &e->numbers, SQUARE_SCALE, &one, sizeof one);
}

vks_status residual_norm(struct solve *s, double *norm)
{
    struct residual *e = &s->residual;
    vks_status status = e->elsewhere ? copy_across(s->device, e->x_memory, e->device, &e->copy[4]) : VKS_OK;
    uint64_t ticket;
    if (!status)
        status = rec_submit(&e->compute, &ticket);
    return status ? status : norm_of(e, &e->square_residual, norm);
}

vks_status residual_norm_of_b(struct solve *s, double *norm)
{
    return norm_of(&s->residual, &s->residual.square_b, norm);
}

vks_status residual_hand_over(struct solve *s, double scale)
{
    struct residual *e = &s->residual;
    uint64_t ticket;
    vks_status status = device_write(e->device, &e->numbers, HAND_OVER_SCALE, &scale, sizeof scale);
    if (!status)
        status = rec_submit(&e->hand_over, &ticket);
    if (!status && e->elsewhere)
        status = copy_across(e->device, &e->copy[4], s->device, &s->vectors[0]);
    return status;
}
