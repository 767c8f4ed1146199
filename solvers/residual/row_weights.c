#include "solvers/residual/row_weights.h"
#include "shaders/sparse/exponents.h"
#include "shaders/sparse/row_magnitudes.h"

#include <math.h>
#include <stdlib.h>

/* The largest exponent of a weight, which is an ordinary number. */
enum { LARGEST_EXPONENT = 1000 };
/* Rows differ if the exponents of their magnitudes do by so many. */
enum { ROWS_DIFFER_FROM = 10 };
/* Beyond all exponents: of the extent of no rows. */
enum { BEYOND = 4096 };

static int exponent_of(uint32_t word)
{
    return (int)((word + (1u << (LOG_BITS - 1))) >> LOG_BITS) - (LOG_BIAS >> LOG_BITS);
}

vks_status row_extent_measure(struct device *d, const struct csr *A, enum precision p, u32s words,
                              struct row_extent *out)
{
    uint32_t extent[EXTENT_WORDS] = {0};
    struct room w;
    struct rec r;
    room_open(&w, d);
    rec_create(&r, d, p);
    struct memory found = room_memory(&w, MEMORY_DEVICE, sizeof extent, "facts about rows");
    fill_words(&r, words_of(&found), 0, 0, EXTENT_WORDS, 1);
    row_magnitudes(&r, A, words, words_of(&found));
    vks_status status = w.status ? w.status : rec_run(&r);
    if (!status)
        status = device_read(d, &found, 0, extent, sizeof extent);
    rec_destroy(&r);
    room_close(&w);
    bool any = extent[EXTENT_MOST] != 0;
    *out = (struct row_extent){.longest = extent[EXTENT_LONGEST],
                               .least = any ? exponent_of(~extent[EXTENT_NOT_LEAST]) : BEYOND,
                               .largest = any ? exponent_of(extent[EXTENT_MOST]) : -BEYOND,
                               .least_row = UINT32_MAX,
                               .largest_row = UINT32_MAX};
    return status;
}

vks_status row_extent_find(struct device *d, const struct memory *from, uint32_t n, struct row_extent *extent)
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

static vks_status measure(struct residual *e)
{
    return row_extent_measure(e->where, &e->A, values_precision(e->equation.A), words_of(&e->words),
                              &e->own_rows);
}

static vks_status fill_weights(struct residual *e)
{
    struct rec r;
    if (!e->weights.n)
        e->weights = room_vec(&e->wide_room, e->b.n, PRECISION_F64, "weights of rows");
    TRY(e->wide_room.status);
    rec_create(&r, e->where, PRECISION_F64);
    row_weights(&r, words_of(&e->words), e->weights, LARGEST_EXPONENT);
    vks_status status = rec_run(&r);
    rec_destroy(&r);
    return status;
}

/* Whether the scaled norm is wanted of rows like these. */
static bool wants_weights(const struct residual *e, const struct row_extent *rows)
{
    bool differ = rows->largest - rows->least >= ROWS_DIFFER_FROM;
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
    e->rows = (struct row_extent){.least = (int)-extremes[0],
                                  .largest = (int)extremes[1],
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

double row_extent_range(const struct row_extent *rows)
{
    return rows->largest < rows->least ? 1 : ldexp(1, rows->largest - rows->least);
}

vks_status row_extent_of(const vks_matrix *given, struct row_extent *out)
{
    const vks_matrix *A = matrix_in_pairs(given) ? given->rounded : given;
    struct device *d = A->context->device;
    struct room w;
    room_open(&w, d);
    struct memory words = room_memory(&w, MEMORY_DEVICE, 4 * (uint64_t)A->csr.n, "magnitudes of rows");
    vks_status status = w.status, held = status ? status : csr_acquire(A);
    if (!held)
        status = row_extent_measure(d, &A->csr, values_precision(A), words_of(&words), out);
    if (!status && !held)
        status = row_extent_find(d, &words, A->csr.n, out);
    if (!w.status)
        csr_release(A);
    room_close(&w);
    return held ? held : status;
}
