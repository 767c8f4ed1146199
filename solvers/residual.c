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
/* Behind them, in the box: what b has in the null space. */
enum { PARTS_OF_B = NUMBERS_BYTES, BOX_BYTES = NUMBERS_BYTES + 8 * VKS_LARGEST_NULL_SPACE };

/* Copies an array between the devices of a solve, through host memory, in pieces; one in pairs of floats, to
 * doubles. */
vks_status copy_across(const struct residual *e, struct device *from, const struct memory *source, bool pairs,
                       struct device *to, struct memory *target)
{
    char *piece = e->piece;
    vks_status status = VKS_OK;
    for (uint64_t done = 0; !status && done < source->bytes; done += PIECE) {
        uint64_t some = source->bytes - done < PIECE ? source->bytes - done : PIECE;
        status = pairs ? download_values(from, source, VKS_F64, done / 8, some / 8, VKS_F64, piece)
                       : device_read(from, source, done, piece, some);
        if (!status)
            status = device_write(to, target, done, piece, some);
    }
    return status;
}

static vks_status clone(struct solve *s, const struct memory *source, bool pairs, struct memory *target)
{
    struct residual *e = &s->residual;
    vks_status status =
        device_allocate(e->device, MEMORY_DEVICE, source->bytes, "a copy on the host", target);
    return status ? status : copy_across(e, s->device, source, pairs, e->device, target);
}

/* The operands on the host: e->A, e->b and room for x. */
static vks_status clone_operands(struct solve *s, const vks_matrix *A, const vks_vector *b)
{
    struct residual *e = &s->residual;
    struct device_options o = {.team = s->device->team};
    vks_status status = device_host_create(s->message, &o, &e->device);
    e->piece = malloc(PIECE);
    if (!status && !e->piece)
        status = fail_memory(s->message, "transfers", PIECE);
    if (!status)
        status = clone(s, &A->row, false, &e->copy[0]);
    if (!status)
        status = clone(s, &A->col, false, &e->copy[1]);
    if (!status)
        status = clone(s, &A->val, s->pairs.is, &e->copy[2]);
    if (!status)
        status = clone(s, &b->memory, s->pairs.is, &e->copy[3]);
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

/* The square of b without what it has in the null space of A. */
static void measure_b_without(struct rec *r, const struct solve *s, doubles wide)
{
    const struct residual *e = &s->residual;
    if (r->precision == PRECISION_F32)
        widen_floats(r, (u32s)e->b, (u32s)wide, s->n);
    else
        copy(r, e->b, (reals)wide, s->n);
    null_space_record(r, s, wide);
    copy_words(r, words_of(&s->null_space.parts), words_at(&e->box, PARTS_OF_B), 2 * s->null_space.count);
    square_of_doubles(r, &e->reduction, number_at(e, SCALE), wide, number_at(e, SQUARE_OF_B), s->n);
}

/* b - A x, by way of A x, whose part in the null space of A is measured before b is added: rounding of what b
 * has there does not count. */
static void residual_of_image(struct rec *r, const struct solve *s, doubles wide)
{
    const struct residual *e = &s->residual;
    doubles x = (doubles)e->x;
    if (e->wide_x.bytes) {
        x = (doubles)(uintptr_t)e->wide_x.address;
        widen_floats(r, (u32s)e->x, (u32s)x, s->n);
    }
    image_record(r, s, e->of_operator.source, x, wide);
    null_space_record_image(r, s, wide);
    run(r, product_residual, groups_each(s->n), .x = e->x, .b = e->b, .r = wide, .n = s->n,
        .fixpoint = s->system.fixpoint);
    bill(r, 16 * (uint64_t)s->n + (s->system.fixpoint ? 2 : 1) * vector_bytes(r, s->n));
}

static void residual_of_csr(struct rec *r, const struct solve *s, doubles wide)
{
    const struct residual *e = &s->residual;
    if (e->A.longs)
        csr_residual_long(r, &e->A, e->x, wide);
    csr_residual(r, &e->A, e->x, e->b, wide, s->system.fixpoint);
}

/* Whether A x is computed by itself before b - A x. */
static bool goes_by_image(const struct solve *s)
{
    return s->residual.of_operator.source || s->null_space.count;
}

static vks_status record(struct solve *s, struct residual *e)
{
    doubles wide = (doubles)(uintptr_t)e->wide.address;
    struct rec *all[] = {&e->measure, &e->measure_b, &e->hand_over};
    for (int i = 0; i < 3; i++)
        rec_create(all[i], e->device, s->given);
    if (goes_by_image(s))
        residual_of_image(&e->measure, s, wide);
    else
        residual_of_csr(&e->measure, s, wide);
    null_space_record(&e->measure, s, wide);
    square_of_doubles(&e->measure, &e->reduction, number_at(e, SCALE), wide, number_at(e, SQUARE), s->n);
    publish(&e->measure, e, SQUARE);
    if (s->null_space.count)
        measure_b_without(&e->measure_b, s, wide);
    else
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
    if (!status && s->given == PRECISION_F32 && goes_by_image(s))
        status = device_allocate(e->device, MEMORY_DEVICE, s->n * (uint64_t)8, "x in double precision",
                                 &e->wide_x);
    if (!status)
        status =
            device_allocate(e->device, MEMORY_DEVICE, NUMBERS_BYTES, "the solver's numbers", &e->numbers);
    if (!status)
        status = device_allocate(e->device, MEMORY_SHARED, BOX_BYTES, "a mailbox", &e->box);
    if (!status)
        status = reduction_create(e->device, s->n, 1, &e->reduction);
    static const double one = 1;
    if (!status)
        status = device_write(e->device, &e->numbers, SCALE, &one, sizeof one);
    if (!status)
        status = record(s, e);
    return status || !s->pairs.is ? status : pairs_setup(s, A, b, x);
}

void residual_release(struct solve *s)
{
    struct residual *e = &s->residual;
    pairs_release(s);
    free(e->piece);
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
    device_release(e->device, &e->wide_x);
    device_release(e->device, &e->numbers);
    device_release(e->device, &e->box);
    reduction_destroy(e->device, &e->reduction);
    if (e->elsewhere)
        device_destroy(e->device);
}

static double square_at(const struct residual *e, uint64_t offset)
{
    double square;
    memcpy(&square, (const char *)e->box.mapped + offset, sizeof square);
    return square;
}

/* The root of the square that `measure`, which has ended, has left at `offset`. Where it is not whole it is
 * asked again for scaled values. The scale is 1 before and after. */
static vks_status norm_of(struct residual *e, struct rec *measure, uint64_t offset, double *norm)
{
    static const double one = 1, up = 0x1p900, down = 0x1p-600;
    double square = square_at(e, offset);
    uint64_t ticket = 0;
    *norm = sqrt(square);
    if (square_is_whole(square))
        return VKS_OK;
    const double *scale = square < 1 ? &up : &down;
    vks_status status = device_write(e->device, &e->numbers, SCALE, scale, sizeof *scale);
    if (!status)
        status = rec_submit(measure, &ticket);
    if (!status)
        status = device_wait(e->device, ticket, DEVICE_WAIT_SECONDS);
    *norm = sqrt(square_at(e, offset)) / *scale;
    return status ? status : device_write(e->device, &e->numbers, SCALE, &one, sizeof one);
}

vks_status residual_take_values(struct solve *s)
{
    struct residual *e = &s->residual;
    if (e->of_operator.source)
        return operator_residual_take_values(s);
    return e->elsewhere ? copy_across(e, s->device, &s->A->val, s->pairs.is, e->device, &e->copy[2]) : VKS_OK;
}

vks_status residual_take_b(struct solve *s)
{
    struct residual *e = &s->residual;
    return e->elsewhere ? copy_across(e, s->device, e->b_memory, s->pairs.is, e->device, &e->copy[3])
                        : VKS_OK;
}

/* (What is done elsewhere has ended when it has been submitted.) */
static vks_status measure(struct solve *s, uint64_t *ticket)
{
    struct residual *e = &s->residual;
    vks_status status = s->null_space.count ? rec_submit(&s->null_space.keep_x_out, ticket) : VKS_OK;
    if (!status && e->elsewhere)
        status = copy_across(e, s->device, e->x_memory, s->pairs.is, e->device, &e->copy[4]);
    return status ? status : rec_submit(&e->measure, ticket);
}

vks_status residual_measure(struct solve *s, uint64_t *ticket)
{
    return s->pairs.is ? pairs_measure(s, ticket) : measure(s, ticket);
}

vks_status residual_measure_b(struct solve *s, uint64_t *ticket)
{
    return rec_submit(&s->residual.measure_b, ticket);
}

vks_status residual_confirmed(struct solve *s, double *norm)
{
    struct residual *e = &s->residual;
    uint64_t ticket = 0;
    vks_status status = measure(s, &ticket);
    if (!status)
        status = device_wait(e->device, ticket, DEVICE_WAIT_SECONDS);
    return status ? status : norm_of(e, &e->measure, SQUARE, norm);
}

vks_status residual_norm(struct solve *s, double *norm)
{
    if (!s->pairs.is)
        return norm_of(&s->residual, &s->residual.measure, SQUARE, norm);
    vks_status status = pairs_norm(s, norm);
    return status || !(*norm <= s->course.target) ? status : residual_confirmed(s, norm);
}

vks_status residual_norm_of_b(struct solve *s, double *norm)
{
    struct residual *e = &s->residual;
    bool again = s->null_space.count && !square_is_whole(square_at(e, SQUARE_OF_B));
    uint64_t ticket = 0;
    vks_status status = norm_of(e, &e->measure_b, SQUARE_OF_B, norm);
    if (status || !again)
        return status;
    status = rec_submit(&e->measure, &ticket); /* in whose place b has been */
    return status ? status : device_wait(e->device, ticket, DEVICE_WAIT_SECONDS);
}

double residual_part_of_b(const struct solve *s)
{
    const double *part = (const double *)((const char *)s->residual.box.mapped + PARTS_OF_B);
    double norm = 0;
    for (uint32_t i = 0; i < s->null_space.count; i++)
        norm = hypot(norm, part[i]); /* squares alone would overflow */
    return norm;
}

vks_status residual_hand_over(struct solve *s, double scale)
{
    struct residual *e = &s->residual;
    memcpy((char *)e->box.mapped + HAND_OVER_SCALE, &scale, sizeof scale);
    if (s->pairs.is)
        pairs_hand_over(s, scale);
    if (!e->elsewhere || s->pairs.is)
        return VKS_OK;
    uint64_t ticket;
    vks_status status = rec_submit(&e->hand_over, &ticket);
    return status ? status : copy_across(e, e->device, &e->copy[4], false, s->device, &s->vectors[0]);
}

void residual_record(struct rec *r, const struct solve *s)
{
    if (s->pairs.is)
        pairs_record(r, s);
    else if (!s->residual.elsewhere)
        hand_over(r, &s->residual, s->workspace.vector[0], s->n);
}
