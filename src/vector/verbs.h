/* The verbs on vectors: each records one kernel and counts its bytes. */
#ifndef VKS_VECTOR_VERBS_H
#define VKS_VECTOR_VERBS_H

#include "device/groups.h"
#include "device/reduction.h"
#include "primitive/verbs.h"
#include "vector/vector.h"

#include <math.h>

/* Stripes of n elements (shaders/sum.glsl). */
static inline uint32_t stripes_of_elements(uint32_t n)
{
    uint32_t tiles = n ? (uint32_t)groups_each(n) : 1, rest = tiles % 256;
    return 32 * (tiles / 256) + (rest < 32 ? rest : 32);
}

static inline void fill(struct rec *r, number value, reals y, uint32_t n)
{
    run(r, fill, groups_each(n), .value = value, .y = y, .n = n);
    bill(r, vector_bytes(r, n));
}

static inline void copy(struct rec *r, reals x, reals y, uint32_t n)
{
    run(r, copy, ((uint64_t)n + 1023) / 1024, .x = x, .y = y, .n = n);
    bill(r, 2 * vector_bytes(r, n));
}

/* y = x, in a recording of moving_precision: pairs of floats as halves, which may be more than a kernel
 * counts */
static inline void copy_elements(struct rec *r, const vks_vector *x, const vks_vector *y)
{
    if (!in_pairs(r->device, x->precision)) {
        copy(r, vector_address(x), vector_address(y), x->n);
        return;
    }
    for (uint64_t half = 0; half < 2; half++)
        copy_words(r, words_in(&x->memory, half * x->n), words_in(&y->memory, half * x->n), x->n);
}

/* y += alpha x */
static inline void axpy(struct rec *r, number alpha, reals x, reals y, uint32_t n)
{
    run(r, axpy, groups_each(n), .alpha = alpha, .x = x, .y = y, .n = n);
    bill(r, 3 * vector_bytes(r, n));
}

/* y -= alpha x */
static inline void subtract(struct rec *r, number alpha, reals x, reals y, uint32_t n)
{
    run(r, subtract, groups_each(n), .alpha = alpha, .x = x, .y = y, .n = n);
    bill(r, 3 * vector_bytes(r, n));
}

static inline void dot(struct rec *r, const struct reduction *w, reals x, reals y, number result, uint32_t n)
{
    run(r, dot, groups_tiles(n), .x = x, .y = y, .s = reduction_sums(w), .t = reduction_tickets(w),
        .result = result, .n = n);
    bill(r, 2 * vector_bytes(r, n));
}

static inline void norm2(struct rec *r, const struct reduction *w, reals x, number result, uint32_t n)
{
    run(r, norm2, groups_tiles(n), .x = x, .s = reduction_sums(w), .t = reduction_tickets(w),
        .result = result, .n = n);
    bill(r, vector_bytes(r, n));
}

static inline void sum(struct rec *r, const struct reduction *w, reals x, number result, uint32_t n)
{
    run(r, sum, groups_tiles(n), .x = x, .s = reduction_sums(w), .t = reduction_tickets(w), .result = result,
        .n = n);
    bill(r, vector_bytes(r, n));
}

/* The most sums that a kernel adds up itself. */
enum { SUM_FEW = 2048 };

/* `count` sums that begin at `level`, in `rows` rows, brought down to SUM_FEW. */
static inline void sum_levels(struct rec *r, const struct reduction *w, uint32_t level, uint32_t count,
                              uint32_t rows)
{
    while (count > SUM_FEW) {
        run(r, sum_level, groups_tiles(count), .s = reduction_sums(w), .from = level, .count = count,
            .rows = rows, .stride = w->stride);
        level += count;
        count = (uint32_t)groups_each(count);
    }
}

/* Tile sums (stripe sums) that a kernel has left over n elements, in `rows` rows from row `first` on, brought
 * down to what the next kernel adds up itself. Nothing to do up to 524,288 (4,194,304) elements. */
static inline void tile_levels(struct rec *r, const struct reduction *w, uint32_t n, uint32_t first,
                               uint32_t rows)
{
    sum_levels(r, w, first * w->stride, (uint32_t)groups_each(n), rows);
}

static inline void stripe_levels(struct rec *r, const struct reduction *w, uint32_t n, uint32_t first,
                                 uint32_t rows)
{
    uint32_t level = first * w->stride, stripes = stripes_of_elements(n);
    if (stripes <= SUM_FEW)
        return;
    run(r, sum_stripes, groups_each(stripes), .s = reduction_sums(w), .from = level, .count = stripes,
        .rows = rows, .stride = w->stride);
    sum_levels(r, w, level + stripes, (uint32_t)groups_each((uint32_t)groups_each(n)), rows);
}

/* The stripe sums of x . y, while the solve is alive */
static inline void dot_stripes(struct rec *r, control c, const struct reduction *w, reals x, reals y,
                               uint32_t n)
{
    run(r, dot_stripes, stripes_of_elements(n), .c = c, .x = x, .y = y, .s = reduction_sums(w), .n = n);
    bill(r, 2 * vector_bytes(r, n));
}

/* Whether a square has kept all bits in the range of doubles; else what is squared is to be scaled. */
static inline bool square_is_whole(double square)
{
    static const double smallest = 1e-280;
    return square >= smallest && isfinite(square);
}

/* result = (scale x) . (scale x) in double precision */
static inline void wide_square(struct rec *r, const struct reduction *w, doubles scale, reals x,
                               doubles result, uint32_t n)
{
    run(r, wide_square, groups_tiles(n), .scale = scale, .x = x, .s = reduction_wide_sums(w),
        .t = reduction_tickets(w), .result = result, .n = n);
    bill(r, vector_bytes(r, n));
}

/* The same for an array of doubles, whatever the precision of the recording. */
static inline void square_of_doubles(struct rec *r, const struct reduction *w, doubles scale, doubles x,
                                     doubles result, uint32_t n)
{
    enum precision p = r->precision;
    r->precision = PRECISION_F64;
    wide_square(r, w, scale, (reals)x, result, n);
    r->precision = p;
}

/* eight rows of n results, see arithmetic.comp */
static inline void arithmetic(struct rec *r, reals x, reals y, reals results, uint32_t n)
{
    run(r, arithmetic, groups_each(n), .x = x, .y = y, .results = results, .n = n);
    bill(r, 10 * vector_bytes(r, n));
}

/* y = scale x, from doubles to the precision of the recording */
static inline void narrow(struct rec *r, doubles scale, doubles x, reals y, uint32_t n)
{
    run(r, narrow, groups_each(n), .scale = scale, .x = x, .y = y, .n = n);
    bill(r, 8 * (uint64_t)n + vector_bytes(r, n));
}

/* y = x, from floats to doubles */
static inline void widen_floats(struct rec *r, u32s x, u32s y, uint32_t n)
{
    run(r, widen_values, groups_each(n), .from = x, .to = y, .n = n);
    bill(r, 12 * (uint64_t)n);
}

static inline pairs pairs_of(const struct memory *m)
{
    return (pairs)(uintptr_t)m->address;
}

/* In recordings of f32. y = scale x, from pairs of floats */
static inline void pairs_narrow(struct rec *r, pairs scale, pairs x, reals y, uint32_t n)
{
    run(r, pairs_narrow, groups_each(n), .scale = scale, .x = x, .y = (u32s)y, .n = n);
    bill(r, 12 * (uint64_t)n);
}

/* y += scale x, from floats to pairs of them, and x = 0 */
static inline void pairs_add(struct rec *r, pairs scale, reals x, pairs y, uint32_t n)
{
    run(r, pairs_add, groups_each(n), .scale = scale, .x = (u32s)x, .y = y, .n = n);
    bill(r, 24 * (uint64_t)n);
}

/* result = (scale x) . (scale x) in pairs of floats; the sums take the room of doubles */
static inline void pairs_square(struct rec *r, const struct reduction *w, pairs scale, pairs x, pairs result,
                                uint32_t n)
{
    run(r, pairs_square, groups_tiles(n), .scale = scale, .x = x, .s = (pair_sums)reduction_wide_sums(w),
        .t = reduction_tickets(w), .result = result, .n = n);
    bill(r, 8 * (uint64_t)n);
}

/* y += scale x, from the precision of the recording to doubles, and x = 0 */
static inline void widen_add(struct rec *r, doubles scale, reals x, doubles y, uint32_t n)
{
    run(r, widen_add, groups_each(n), .scale = scale, .x = x, .y = y, .n = n);
    bill(r, 16 * (uint64_t)n + 2 * vector_bytes(r, n));
}

#endif
