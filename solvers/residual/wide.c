#include "solvers/residual/wide.h"
#include "solvers/residual/image.h"
#include "solvers/residual/projection.h"

#include <math.h>
#include <string.h>

/* Offsets of doubles in e->numbers and e->box: the squares that recordings leave and publish; the scale that
 * they take, which is set on the device; the scale of the hand-over, which is set in the box. */
enum {
    SQUARE = 0,
    SQUARE_OF_B = 8,
    SCALE = 16,
    HAND_OVER_SCALE = 24,
    SQUARE_OF_NORMAL = 32,
    SQUARE_OF_A = 40,
    NUMBERS_BYTES = 48
};
/* Behind them, in the box: the parts of b in the null space. */
enum { PARTS_OF_B = NUMBERS_BYTES, BOX_BYTES = NUMBERS_BYTES + 8 * VKS_LARGEST_NULL_SPACE };

static doubles number_at(const struct residual *e, uint64_t offset)
{
    return (doubles)(uintptr_t)(e->numbers.address + offset);
}

static void publish(struct rec *r, const struct residual *e, uint64_t offset)
{
    copy_words(r, words_in(&e->numbers, offset / 4), words_in(&e->box, offset / 4), 2);
}

void wide_set_scale(struct residual *e, double scale)
{
    memcpy((char *)e->box.mapped + HAND_OVER_SCALE, &scale, sizeof scale);
}

void wide_hand_over(struct rec *r, const struct residual *e, struct vec to)
{
    copy_words(r, words_in(&e->box, HAND_OVER_SCALE / 4), words_in(&e->numbers, HAND_OVER_SCALE / 4), 2);
    narrow(r, number_at(e, HAND_OVER_SCALE), e->wide, to);
}

/* The square of this process's elements becomes that of all. */
static void square_of_all(struct rec *r, const struct residual *e, struct allreduce *a, uint64_t offset)
{
    record_allreduce(r, a, &e->sums, 0, OF_CHUNKS_BEHIND_TILES);
    copy_words(r, words_of(&a->totals), words_in(&e->numbers, offset / 4), 2);
    publish(r, e, offset);
}

static void measure_square(struct rec *r, const struct residual *e, const struct reduction *sums,
                           struct vec v, uint64_t offset)
{
    wide_square(r, sums, number_at(e, SCALE), v, number_at(e, offset));
    publish(r, e, offset);
}

/* Records the square of b without its part in the null space of A. */
static void measure_b_without(struct rec *r, const struct residual *e)
{
    if (e->b.precision != e->wide.precision)
        widen_floats(r, e->b, e->wide);
    else
        copy(r, e->b, e->wide);
    projection_apply(r, e->projection, e->wide);
    copy_words(r, words_of(&e->projection->parts), words_in(&e->box, PARTS_OF_B / 4),
               2 * e->projection->wide.cols);
    measure_square(r, e, &e->sums, e->wide, SQUARE_OF_B);
}

/* Records b - A x by way of A x. The part of A x in the null space of A is measured before b is added, so
 * rounding errors of the part of b there do not count. */
static void residual_of_image(struct rec *r, const struct residual *e)
{
    struct vec x = e->x;
    if (e->wide_x.at) {
        x = e->wide_x;
        widen_floats(r, e->x, x);
    }
    image_record(r, &e->A, e->product, e->equation.A, x, e->wide);
    if (e->projection)
        projection_measure_image(r, e->projection, e->wide);
    run_in(r, e->x.precision, product_residual, groups_each(e->wide.n), .x = vec_reals(e->x),
           .b = vec_reals(e->b), .r = vec_doubles(e->wide), .n = e->wide.n,
           .fixpoint = e->equation.fixed_point);
    bill(r, 2 * vec_bytes(e->wide) + (e->equation.fixed_point ? 2 : 1) * vec_bytes(e->b));
}

/* x, with the elements of partners. */
static struct vec whole_x(struct rec *r, const struct residual *e)
{
    if (!e->partners)
        return e->x;
    copy(r, e->x, e->shared_x);
    partners_exchange(r, e->partners, e->shared_x);
    return partners_wide(e->partners, e->shared_x);
}

static void residual_of_csr(struct rec *r, const struct residual *e)
{
    struct vec x = whole_x(r, e);
    enum precision before = rec_precision(r, matrix_precision(e->equation.A));
    if (e->A.longs)
        csr_residual_long(r, &e->A, vec_reals(x), vec_doubles(e->wide));
    csr_residual(r, &e->A, vec_reals(x), vec_reals(e->b), vec_doubles(e->wide), e->equation.fixed_point);
    r->precision = before;
}

/* Whether A x is computed separately before b - A x. */
static bool goes_by_image(const struct residual *e)
{
    return e->product || e->projection;
}

/* Records ||A^T r|| and ||A||_F. */
static vks_status record_normal(struct residual *e)
{
    const struct csr *T = &e->columns;
    reals entries = (reals)(uintptr_t)T->val;
    image_record(&e->measure_normal, T, NULL, e->T, e->wide, e->normal);
    measure_square(&e->measure_normal, e, &e->normal_sums, e->normal, SQUARE_OF_NORMAL);
    measure_square(&e->measure_A, e, &e->normal_sums, vec_at(entries, T->entries, values_precision(e->T)),
                   SQUARE_OF_A);
    TRY(rec_prepare(&e->measure_normal));
    return rec_prepare(&e->measure_A);
}

static vks_status record(struct residual *e)
{
    if (goes_by_image(e))
        residual_of_image(&e->measure, e);
    else
        residual_of_csr(&e->measure, e);
    if (e->projection)
        projection_apply(&e->measure, e->projection, e->wide);
    measure_square(&e->measure, e, &e->sums, e->wide, SQUARE);
    if (e->partners)
        square_of_all(&e->measure, e, &e->of_r, SQUARE);
    if (e->projection)
        measure_b_without(&e->measure_b, e);
    else
        measure_square(&e->measure_b, e, &e->sums, e->b, SQUARE_OF_B);
    if (e->partners)
        square_of_all(&e->measure_b, e, &e->of_b, SQUARE_OF_B);
    TRY(rec_prepare(&e->measure));
    return rec_prepare(&e->measure_b);
}

static void room_for_normal(struct residual *e)
{
    struct room *w = &e->wide_room;
    uint32_t n = e->x.n, entries = e->columns.entries;
    rec_create(&e->measure_normal, e->where, e->b.precision);
    rec_create(&e->measure_A, e->where, e->b.precision);
    e->normal = room_vec(w, n, PRECISION_F64, "A^T r in double precision");
    e->normal_sums = room_reduction(w, n > entries ? n : entries, 1);
}

static void room_for_partners(struct residual *e)
{
    e->shared_x = partners_vec(e->partners, e->x.precision, &e->wide_room);
    allreduce_open(&e->of_r, e->partners, PRECISION_F64, 1, &e->wide_room);
    allreduce_open(&e->of_b, e->partners, PRECISION_F64, 1, &e->wide_room);
}

vks_status wide_open(struct residual *e)
{
    static const double one = 1;
    struct room *w = &e->wide_room;
    uint32_t n = e->b.n;
    rec_create(&e->measure, e->where, e->b.precision);
    rec_create(&e->measure_b, e->where, e->b.precision);
    e->wide = room_vec(w, n, PRECISION_F64, "the residual in double precision");
    if (e->b.precision != e->wide.precision && goes_by_image(e))
        e->wide_x = room_vec(w, n, PRECISION_F64, "x in double precision");
    if (e->T)
        room_for_normal(e);
    e->numbers = room_memory(w, MEMORY_DEVICE, NUMBERS_BYTES, "the solver's numbers");
    e->box = room_memory(w, MEMORY_SHARED, BOX_BYTES, "a mailbox");
    e->sums = room_reduction(w, n, 1);
    if (e->partners)
        room_for_partners(e);
    TRY(w->status);
    TRY(device_write(e->where, &e->numbers, SCALE, &one, sizeof one));
    TRY(record(e));
    return e->T ? record_normal(e) : VKS_OK;
}

void wide_close(struct residual *e)
{
    rec_destroy(&e->measure_normal);
    rec_destroy(&e->measure_A);
    rec_destroy(&e->measure);
    rec_destroy(&e->measure_b);
    if (e->where)
        room_close(&e->wide_room);
}

static double square_at(const struct residual *e, uint64_t offset)
{
    double square;
    memcpy(&square, (const char *)e->box.mapped + offset, sizeof square);
    return square;
}

/* Reads the root of the square that `measure` has left at `offset`. If the square has left the range of
 * doubles, `measure` runs again with scaled values. The scale is 1 before and after. */
static vks_status norm_of(struct residual *e, struct rec *measure, uint64_t offset, double *norm)
{
    static const double one = 1, up = 0x1p900, down = 0x1p-600;
    double square = square_at(e, offset);
    uint64_t ticket = 0;
    *norm = sqrt(square);
    if (square_is_whole(square))
        return VKS_OK;
    const double *scale = square < 1 ? &up : &down;
    vks_status status = device_write(e->where, &e->numbers, SCALE, scale, sizeof *scale);
    if (!status)
        status = rec_submit(measure, &ticket);
    if (!status)
        status = device_wait(e->where, ticket, DEVICE_WAIT_SECONDS);
    *norm = sqrt(square_at(e, offset)) / *scale;
    return status ? status : device_write(e->where, &e->numbers, SCALE, &one, sizeof one);
}

vks_status wide_begin(struct residual *e, uint64_t *ticket)
{
    return e->projection ? rec_submit(&e->projection->of_x, ticket) : VKS_OK;
}

vks_status wide_measure(struct residual *e, uint64_t *ticket)
{
    return rec_submit(&e->measure, ticket);
}

vks_status wide_norm(struct residual *e, double *norm)
{
    return norm_of(e, &e->measure, SQUARE, norm);
}

vks_status residual_measure_b(struct residual *e, uint64_t *ticket)
{
    TRY(rec_submit(&e->measure_b, ticket));
    return e->T ? rec_submit(&e->measure_A, ticket) : VKS_OK;
}

vks_status residual_measure_normal(struct residual *e, uint64_t *ticket)
{
    return rec_submit(&e->measure_normal, ticket);
}

/* r = scale r, a power of two. */
static vks_status scale_residual(struct residual *e, double scale)
{
    static const double one = 1;
    struct rec r;
    rec_create(&r, e->where, PRECISION_F64);
    narrow(&r, number_at(e, SCALE), e->wide, e->wide);
    vks_status status = device_write(e->where, &e->numbers, SCALE, &scale, sizeof scale);
    if (!status)
        status = rec_run(&r);
    rec_destroy(&r);
    return status ? status : device_write(e->where, &e->numbers, SCALE, &one, sizeof one);
}

/* ||A^T (scale r)|| */
static vks_status scaled_normal(struct residual *e, double scale, double *normal)
{
    uint64_t ticket;
    TRY(scale_residual(e, scale));
    TRY(rec_submit(&e->measure_normal, &ticket));
    TRY(device_wait(e->where, ticket, DEVICE_WAIT_SECONDS));
    TRY(norm_of(e, &e->measure_normal, SQUARE_OF_NORMAL, normal));
    return scale_residual(e, 1 / scale);
}

/* Beyond these exponents of ||A|| ||r||, products of entries and residuals may vanish or overflow. */
enum { MOST_EXPONENT = 900, LARGEST_SCALE = 1000 };

vks_status residual_normal(struct residual *e, double norm, double *share)
{
    int of_A = 0, of_r = 0;
    double normal = 0, scale = 1;
    *share = isfinite(norm) ? 0 : NAN;
    if (!isfinite(norm) || norm == 0 || e->size == 0)
        return VKS_OK;
    frexp(e->size, &of_A);
    frexp(norm, &of_r);
    int exponent = of_A + of_r, bounded = exponent > LARGEST_SCALE    ? LARGEST_SCALE
                                          : exponent < -LARGEST_SCALE ? -LARGEST_SCALE
                                                                      : exponent;
    if (exponent < -MOST_EXPONENT || exponent > MOST_EXPONENT) {
        scale = ldexp(1, -bounded);
        TRY(scaled_normal(e, scale, &normal));
    } else
        TRY(norm_of(e, &e->measure_normal, SQUARE_OF_NORMAL, &normal));
    *share = normal / e->size / scale / norm;
    return VKS_OK;
}

vks_status residual_norm_of_b(struct residual *e, double *norm)
{
    bool again = e->projection && !square_is_whole(square_at(e, SQUARE_OF_B));
    uint64_t ticket = 0;
    TRY(norm_of(e, &e->measure_b, SQUARE_OF_B, norm));
    if (e->T)
        TRY(norm_of(e, &e->measure_A, SQUARE_OF_A, &e->size));
    if (!again)
        return VKS_OK;
    TRY(rec_submit(&e->measure, &ticket)); /* b has been in its place */
    return device_wait(e->where, ticket, DEVICE_WAIT_SECONDS);
}

double residual_part_of_b(const struct residual *e)
{
    const double *part = (const double *)((const char *)e->box.mapped + PARTS_OF_B);
    double norm = 0;
    for (uint32_t i = 0; e->projection && i < e->projection->wide.cols; i++)
        norm = hypot(norm, part[i]); /* squares alone would overflow */
    return norm;
}

double residual_part_of_image(const struct residual *e)
{
    return e->projection ? projection_part_of_image(e->projection) : 0;
}

void wide_set_gather(struct residual *e, double factor)
{
    struct factor f = {.wide = factor, .narrow = (float)factor};
    memcpy(e->factor_box.mapped, &f, sizeof f);
}

void wide_gather(struct rec *r, const struct residual *e, struct vec y)
{
    struct vec x = vec_of(e->equation.x);
    uint64_t factor = e->factor.address;
    copy_words(r, words_of(&e->factor_box), words_of(&e->factor), sizeof(struct factor) / sizeof(uint32_t));
    if (x.precision == PRECISION_F64)
        widen_add(r, (doubles)(uintptr_t)factor, y, x);
    else
        axpy(r, (number)(uintptr_t)(factor + offsetof(struct factor, narrow)), y, x);
}

double residual_largest_image(const struct residual *e)
{
    return e->projection->image;
}
