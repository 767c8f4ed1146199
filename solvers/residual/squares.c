/* Squares of norms in doubles, and the numbers that residual recordings read and write. */
#include "solvers/residual/wide.h"

#include <math.h>
#include <string.h>

static doubles number_at(const struct residual *e, uint64_t offset)
{
    return (doubles)(uintptr_t)(e->numbers.address + offset);
}

doubles wide_scale_of_squares(const struct residual *e)
{
    return number_at(e, WIDE_SCALE);
}

void wide_publish(struct rec *r, const struct residual *e, uint64_t offset, uint32_t words)
{
    copy_words(r, words_in(&e->numbers, offset / 4), words_in(&e->box, offset / 4), words);
}

void wide_set_scale(struct residual *e, double scale)
{
    memcpy((char *)e->box.mapped + WIDE_HAND_OVER, &scale, sizeof scale);
}

void wide_hand_over(struct rec *r, const struct residual *e, struct vec to)
{
    copy_words(r, words_in(&e->box, WIDE_HAND_OVER / 4), words_in(&e->numbers, WIDE_HAND_OVER / 4), 2);
    narrow(r, number_at(e, WIDE_HAND_OVER), e->wide, to);
}

void wide_record_square(struct rec *r, struct residual *e, const struct reduction *sums, struct vec v,
                        enum square which)
{
    uint64_t offset = 8 * (uint64_t)which;
    wide_square(r, sums, number_at(e, WIDE_SCALE), v, number_at(e, offset));
    if (e->partners) {
        struct allreduce *a = &e->of_all[which];
        record_allreduce(r, a, &e->sums, 0, OF_CHUNKS_BEHIND_TILES);
        copy_words(r, words_of(&a->totals), words_in(&e->numbers, offset / 4), 2);
    }
    wide_publish(r, e, offset, 2);
}

double wide_square_of(const struct residual *e, enum square which)
{
    double square;
    memcpy(&square, (const char *)e->box.mapped + 8 * which, sizeof square);
    return square;
}

vks_status wide_set_scale_of_squares(struct residual *e, double scale)
{
    return device_write(e->where, &e->numbers, WIDE_SCALE, &scale, sizeof scale);
}

static vks_status run_scaled(struct residual *e, struct rec *measure, double scale)
{
    uint64_t ticket = 0;
    TRY(wide_set_scale_of_squares(e, scale));
    TRY(rec_submit(measure, &ticket));
    return device_wait(e->where, ticket, DEVICE_WAIT_SECONDS);
}

/* If the square has left the range of doubles, runs `measure` again with scaled values, and then without
 * scaling for its other squares. */
vks_status wide_read_norm(struct residual *e, struct rec *measure, enum square which, double *norm)
{
    static const double up = 0x1p900, down = 0x1p-600;
    double square = wide_square_of(e, which), scale = square < 1 ? up : down;
    *norm = sqrt(square);
    if (square_is_whole(square))
        return VKS_OK;
    TRY(run_scaled(e, measure, scale));
    *norm = sqrt(wide_square_of(e, which)) / scale;
    return run_scaled(e, measure, 1);
}
