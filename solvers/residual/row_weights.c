#include "solvers/residual/row_weights.h"
#include "shaders/sparse/exponents.h"
#include "shaders/sparse/row_magnitudes.h"
#include "solvers/residual/wide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Beyond all logarithms: marks the extent of no rows. */
static const double beyond = 4096;

static double logarithm_of(uint32_t word)
{
    return ldexp((double)word - LOG_BIAS, -LOG_BITS);
}

_Static_assert(4 * EXTENT_WORDS <= WIDE_ROWS_BYTES, "wide.h has room for an extent");

/* The extent from the words of row_magnitudes.h. */
static struct row_extent extent_of(const uint32_t words[EXTENT_WORDS])
{
    bool any = words[EXTENT_MOST] != 0;
    return (struct row_extent){.longest = words[EXTENT_LONGEST],
                               .least = any ? logarithm_of(~words[EXTENT_NOT_LEAST]) : beyond,
                               .largest = any ? logarithm_of(words[EXTENT_MOST]) : -beyond,
                               .least_row = UINT32_MAX,
                               .largest_row = UINT32_MAX};
}

static void record_extent(struct rec *r, const struct csr *A, u32s words, u32s found)
{
    fill_words(r, found, 0, 0, EXTENT_WORDS, 1);
    row_magnitudes(r, A, words, found);
}

static vks_status row_extent_find(struct device *d, const struct memory *from, uint32_t n,
                                  struct row_extent *extent)
{
    uint32_t *word = malloc(4 * (size_t)n + 1), least = UINT32_MAX, largest = 0;
    if (!word)
        return fail_memory(d->message, "magnitudes of rows", 4 * (uint64_t)n);
    vks_status status = device_read(d, from, 0, word, 4 * (uint64_t)n);
    for (uint32_t i = 0; !status && i < n; i++) {
        if (word[i] > largest) {
            largest = word[i];
            extent->largest_row = i;
        }
        if (word[i] && word[i] < least) {
            least = word[i];
            extent->least_row = i;
        }
    }
    free(word);
    return status;
}

vks_status rows_open(struct residual *e)
{
    rec_create(&e->extent_rec, e->where, values_precision(e->equation.A));
    record_extent(&e->extent_rec, &e->A, words_of(&e->words), words_in(&e->numbers, WIDE_ROWS / 4));
    wide_publish(&e->extent_rec, e, WIDE_ROWS, EXTENT_WORDS);
    return rec_prepare(&e->extent_rec);
}

static vks_status measure(struct residual *e)
{
    uint32_t words[EXTENT_WORDS];
    uint64_t ticket;
    TRY(rec_submit(&e->extent_rec, &ticket));
    TRY(device_wait(e->where, ticket, DEVICE_WAIT_SECONDS));
    memcpy(words, (const char *)e->box.mapped + WIDE_ROWS, sizeof words);
    e->own_rows = extent_of(words);
    return VKS_OK;
}

/* Allocates on first use, in a room of its own: after a failure, a later solve may succeed. */
static vks_status open_weights(struct residual *e)
{
    struct room *w = &e->weights_room;
    room_open(w, e->where);
    struct vec v = room_vec(w, e->b.n, PRECISION_F64, "weights of rows");
    rec_create(&e->weigh, e->where, PRECISION_F64);
    if (!w->status) {
        row_weights(&e->weigh, words_of(&e->words), v, LARGEST_EXPONENT);
        w->status = rec_prepare(&e->weigh);
    }
    vks_status status = w->status;
    if (status)
        rows_close(e);
    else
        e->weights = v;
    return status;
}

void rows_close(struct residual *e)
{
    rec_destroy(&e->weigh);
    room_close(&e->weights_room);
    e->weights = (struct vec){0};
}

static vks_status fill_weights(struct residual *e)
{
    uint64_t ticket;
    if (!e->weights_room.device)
        TRY(open_weights(e));
    TRY(rec_submit(&e->weigh, &ticket));
    return device_wait(e->where, ticket, DEVICE_WAIT_SECONDS);
}

/* Whether the scaled norm is needed for rows like these. */
static bool wants_weights(const struct residual *e, const struct row_extent *rows)
{
    bool differ = row_extent_range(rows) >= VKS_ROWS_DIFFER;
    return !e->equation.fixed_point && (e->asked == VKS_NORM_SCALED || (e->asked == VKS_NORM_BOTH && differ));
}

vks_status rows_take(struct residual *e)
{
    if (!residual_has_assessment(e))
        return VKS_OK;
    TRY(measure(e));
    bool partners_may_want = e->partners && e->asked != VKS_NORM_PLAIN;
    return partners_may_want || wants_weights(e, &e->own_rows) ? fill_weights(e) : VKS_OK;
}

vks_status rows_settle(struct residual *e)
{
    double extremes[2] = {-e->own_rows.least, e->own_rows.largest}, longest[2] = {e->own_rows.longest, 0};
    if (!residual_has_assessment(e))
        return VKS_OK;
    if (e->partners) {
        TRY(partners_largest(e->partners, extremes));
        TRY(partners_largest(e->partners, longest));
    }
    e->rows = (struct row_extent){.least = -extremes[0],
                                  .largest = extremes[1],
                                  .longest = (uint32_t)longest[0],
                                  .least_row = UINT32_MAX,
                                  .largest_row = UINT32_MAX};
    e->scales = wants_weights(e, &e->rows);
    return VKS_OK;
}

double residual_row_range(const struct residual *e)
{
    return residual_has_assessment(e) ? row_extent_range(&e->rows) : NAN;
}

vks_status residual_find_rows(struct residual *e)
{
    TRY(measure(e));
    return row_extent_find(e->where, &e->words, e->b.n, &e->rows);
}

/* The logarithm e + f stands for 2^e (1 + f). */
double row_extent_range(const struct row_extent *rows)
{
    double least = floor(rows->least), largest = floor(rows->largest);
    double mantissas = (1 + (rows->largest - largest)) / (1 + (rows->least - least));
    return rows->largest < rows->least ? 1 : ldexp(mantissas, (int)(largest - least));
}

vks_status row_extent_of(const vks_matrix *given, struct row_extent *out)
{
    const vks_matrix *A = matrix_in_pairs(given) ? given->rounded : given;
    struct device *d = A->context->device;
    uint32_t extent[EXTENT_WORDS];
    struct room w = {.device = d};
    struct rec r = rec_once(d, values_precision(A));
    struct memory words = room_memory(&w, MEMORY_DEVICE, 4 * (uint64_t)A->csr.n, "magnitudes of rows"),
                  found = room_memory(&w, MEMORY_DEVICE, sizeof extent, "facts about rows");
    vks_status held = w.status ? w.status : csr_acquire(A), status = held;
    record_extent(&r, &A->csr, words_of(&words), words_of(&found));
    status = rec_run_once(&r, status);
    IF_OK(status, device_read(d, &found, 0, extent, sizeof extent));
    if (!status) {
        *out = extent_of(extent);
        status = row_extent_find(d, &words, A->csr.n, out);
    }
    if (!w.status)
        csr_release(A);
    room_close(&w);
    return status;
}
