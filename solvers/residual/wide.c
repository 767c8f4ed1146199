#include "solvers/residual/wide.h"
#include "primitive/verbs.h"
#include "solvers/residual/image.h"
#include "solvers/residual/projection.h"
#include "solvers/residual/row_weights.h"

#include <math.h>
#include <string.h>

/* Records the squares of v and, if there are weights, of its weighted elements. */
static void record_squares(struct rec *r, struct residual *e, struct vec v, enum square plain,
                           enum square scaled)
{
    struct vec from = v;
    wide_record_square(r, e, &e->sums, v, plain);
    if (!e->scales)
        return;
    if (v.precision != PRECISION_F64) {
        widen_floats(r, v, e->scratch);
        from = e->scratch;
    }
    multiply_each(r, e->weights, from, e->scratch);
    wide_record_square(r, e, &e->sums, e->scratch, scaled);
}

/* Records the square of b without its part in the null space of A. */
static void measure_b_without(struct rec *r, struct residual *e)
{
    if (e->b.precision != e->wide.precision)
        widen_floats(r, e->b, e->wide);
    else
        copy(r, e->b, e->wide);
    projection_apply(r, e->projection, e->wide);
    copy_words(r, words_of(&e->projection->parts), words_in(&e->box, WIDE_PARTS_OF_B / 4),
               2 * e->projection->wide.cols);
    record_squares(r, e, e->wide, OF_B, OF_SCALED_B);
}

/* Records b - A x from rows of A and a given x, in doubles or in pairs of them. */
static void residual_of_rows(struct rec *r, const struct residual *e, struct vec x, bool exact)
{
    const vks_matrix *A = e->equation.A;
    bool fixpoint = e->equation.fixed_point;
    if (!exact) {
        image_record_residual(r, &e->A, A, x, e->b, e->wide, fixpoint);
        return;
    }
    enum precision before = rec_precision(r, matrix_precision(A));
    csr_residual_exact(r, &e->A, x, e->b, e->wide, fixpoint);
    r->precision = before;
}

/* Records b - A x through A x. The components of A x in the null space of A are measured before b is added,
 * so rounding errors of the components of b do not count. */
static void residual_of_image(struct rec *r, const struct residual *e, bool exact)
{
    struct vec x = e->x;
    if (e->wide_x.at) {
        x = e->wide_x;
        widen_floats(r, e->x, x);
    }
    image_record(r, &e->A, e->product, e->equation.A, x, e->wide);
    if (e->projection)
        projection_measure_image(r, e->projection, e->wide);
    if (exact) {
        residual_of_rows(r, e, e->x, exact);
        return;
    }
    run_in(r, e->x.precision, product_residual, groups_each(e->wide.n), .x = vec_reals(e->x),
           .b = vec_reals(e->b), .r = vec_doubles(e->wide), .n = e->wide.n,
           .fixpoint = e->equation.fixed_point);
    bill(r, 2 * vec_bytes(e->wide) + (e->equation.fixed_point ? 2 : 1) * vec_bytes(e->b));
}

/* Returns x, including the elements of partners. */
static struct vec whole_x(struct rec *r, const struct residual *e)
{
    if (!e->partners)
        return e->x;
    copy(r, e->x, e->shared_x);
    partners_exchange(r, e->partners, e->shared_x);
    return partners_wide(e->partners, e->shared_x);
}

/* Whether A x is computed separately before b - A x. */
static bool goes_by_image(const struct residual *e)
{
    return e->product || e->projection;
}

static void record_x(struct rec *r, struct residual *e)
{
    struct vec x = e->wide_x.at ? e->wide_x : e->x;
    if (x.precision != PRECISION_F64) {
        x = vec_in(&e->words, x.n, PRECISION_F64);
        widen_floats(r, e->x, x);
    }
    wide_record_square(r, e, &e->sums, x, OF_X);
}

static vks_status record_measure(struct rec *r, struct residual *e, bool exact)
{
    rec_clear(r);
    if (goes_by_image(e))
        residual_of_image(r, e, exact);
    else
        residual_of_rows(r, e, whole_x(r, e), exact);
    if (e->projection)
        projection_apply(r, e->projection, e->wide);
    record_squares(r, e, e->wide, OF_R, OF_SCALED_R);
    record_x(r, e);
    return rec_prepare(r);
}

static vks_status record_measure_b(struct residual *e)
{
    rec_clear(&e->measure_b);
    if (e->projection)
        measure_b_without(&e->measure_b, e);
    else
        record_squares(&e->measure_b, e, e->b, OF_B, OF_SCALED_B);
    return rec_prepare(&e->measure_b);
}

/* Makes the recordings that depend on whether weights exist. */
static vks_status record(struct residual *e)
{
    TRY(record_measure(&e->measure, e, false));
    TRY(record_measure_b(e));
    if (!residual_has_assessment(e))
        return VKS_OK;
    e->has_exact = false;
    return wide_record_assessment(e);
}

static void room_for_partners(struct residual *e)
{
    e->shared_x = partners_vec(e->partners, e->x.precision, &e->wide_room);
    for (int k = 0; k < SHARED_SQUARES; k++)
        allreduce_open(&e->of_all[k], e->partners, PRECISION_F64, 1, &e->wide_room);
}

static void create_recordings(struct residual *e)
{
    struct rec *all[] = {&e->measure, &e->measure_exact, &e->measure_b, &e->assess};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        rec_create(all[k], e->where, e->b.precision);
}

vks_status wide_open(struct residual *e)
{
    static const double one = 1;
    struct room *w = &e->wide_room;
    uint32_t n = e->b.n, most = n > e->x.n ? n : e->x.n;
    create_recordings(e);
    e->wide = room_vec(w, n, PRECISION_F64, "the residual in double precision");
    if (residual_has_assessment(e) || e->x.precision != PRECISION_F64)
        e->words = room_memory(w, MEMORY_DEVICE, 8 * (uint64_t)most, "weighted elements");
    if (residual_has_assessment(e)) {
        e->magnitudes = room_vec(w, n, PRECISION_F64, "magnitudes of rows");
        e->scratch = vec_in(&e->words, n, PRECISION_F64);
    }
    if (e->b.precision != e->wide.precision && goes_by_image(e))
        e->wide_x = room_vec(w, n, PRECISION_F64, "x in double precision");
    if (e->T)
        normal_room(e);
    e->numbers = room_memory(w, MEMORY_DEVICE, WIDE_NUMBERS_BYTES, "the solver's numbers");
    e->box = room_memory(w, MEMORY_SHARED, WIDE_BOX_BYTES, "a mailbox");
    e->sums = room_reduction(w, most, reduction_rows(RANGE_ITEM_BYTES));
    if (e->partners)
        room_for_partners(e);
    TRY(w->status);
    TRY(device_write(e->where, &e->numbers, WIDE_SCALE, &one, sizeof one));
    if (residual_has_assessment(e))
        TRY(rows_open(e));
    TRY(rows_take(e));
    if (!e->partners)
        TRY(rows_settle(e));
    TRY(record(e));
    return e->T ? normal_record(e) : VKS_OK;
}

static vks_status settle(struct residual *e)
{
    bool before = e->scales;
    TRY(rows_settle(e));
    return before != e->scales ? record(e) : VKS_OK;
}

vks_status wide_update_values(struct residual *e)
{
    TRY(rows_take(e));
    return e->partners ? VKS_OK : settle(e);
}

vks_status residual_begin(struct residual *e)
{
    static const double none = 0;
    e->exact = false;
    if (e->box.mapped) /* a residual in pairs is not always measured here */
        memcpy((char *)e->box.mapped + 8 * OF_X, &none, sizeof none);
    return e->partners ? settle(e) : VKS_OK;
}

void wide_close(struct residual *e)
{
    rec_destroy(&e->measure_normal);
    rec_destroy(&e->measure_A);
    rec_destroy(&e->measure);
    rec_destroy(&e->measure_exact);
    rec_destroy(&e->measure_b);
    rec_destroy(&e->assess);
    rec_destroy(&e->extent_rec);
    rows_close(e);
    if (e->where)
        room_close(&e->wide_room);
}

/* Records on first use, since few solves need it. */
vks_status residual_set_exact(struct residual *e)
{
    e->exact = true;
    if (!e->has_exact)
        TRY(record_measure(&e->measure_exact, e, true));
    e->has_exact = true;
    return VKS_OK;
}

static struct rec *measure_of(struct residual *e)
{
    return e->exact ? &e->measure_exact : &e->measure;
}

vks_status wide_begin(struct residual *e, uint64_t *ticket)
{
    return e->projection ? rec_submit(&e->projection->of_x, ticket) : VKS_OK;
}

vks_status wide_measure(struct residual *e, uint64_t *ticket)
{
    return rec_submit(measure_of(e), ticket);
}

vks_status wide_norm(struct residual *e, double *norm)
{
    return wide_read_norm(e, measure_of(e), OF_R, norm);
}

vks_status residual_x_is_finite(struct residual *e, bool *is)
{
    double square = wide_square_of(e, OF_X);
    if (isinf(square)) /* an element is infinite, or a square is beyond the range of doubles */
        TRY(wide_read_norm(e, measure_of(e), OF_X, &square));
    *is = isfinite(square);
    return VKS_OK;
}

vks_status residual_scaled_norm(struct residual *e, double *norm)
{
    *norm = NAN;
    return e->scales ? wide_read_norm(e, measure_of(e), OF_SCALED_R, norm) : VKS_OK;
}

vks_status residual_measure_b(struct residual *e, uint64_t *ticket)
{
    TRY(rec_submit(&e->measure_b, ticket));
    return e->T ? rec_submit(&e->measure_A, ticket) : VKS_OK;
}

vks_status residual_norm_of_b(struct residual *e, double *norm, double *scaled)
{
    bool again = e->projection && (!square_is_whole(wide_square_of(e, OF_B)) ||
                                   (e->scales && !square_is_whole(wide_square_of(e, OF_SCALED_B))));
    uint64_t ticket = 0;
    *scaled = NAN;
    TRY(wide_read_norm(e, &e->measure_b, OF_B, norm));
    if (e->scales)
        TRY(wide_read_norm(e, &e->measure_b, OF_SCALED_B, scaled));
    if (e->T)
        TRY(wide_read_norm(e, &e->measure_A, OF_A, &e->size));
    if (!again)
        return VKS_OK;
    TRY(rec_submit(measure_of(e), &ticket)); /* b temporarily replaced the residual */
    return device_wait(e->where, ticket, DEVICE_WAIT_SECONDS);
}

double residual_part_of_b(const struct residual *e)
{
    const double *part = (const double *)((const char *)e->box.mapped + WIDE_PARTS_OF_B);
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
