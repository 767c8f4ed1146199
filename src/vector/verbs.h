/* Verbs on vectors: each records one kernel, in the precision of its operands, and counts its bytes. */
#ifndef VKS_VECTOR_VERBS_H
#define VKS_VECTOR_VERBS_H

#include "device/groups.h"
#include "device/reduction.h"
#include "primitive/verbs.h"
#include "vector/vec.h"

#include <math.h>

/* Stripes of n elements (shaders/sum.glsl). */
static inline uint32_t stripes_of_elements(uint32_t n)
{
    uint32_t tiles = n ? (uint32_t)groups_each(n) : 1, rest = tiles % 256;
    return 32 * (tiles / 256) + (rest < 32 ? rest : 32);
}

static inline void fill(struct rec *r, number value, struct vec y)
{
    run_in(r, y.precision, fill, groups_each(y.n), .value = value, .y = vec_reals(y), .n = y.n);
    bill(r, vec_bytes(y));
}

static inline void copy(struct rec *r, struct vec x, struct vec y)
{
    assert(vecs_fit(x, y));
    run_in(r, x.precision, copy, ((uint64_t)x.n + 1023) / 1024, .x = vec_reals(x), .y = vec_reals(y),
           .n = x.n);
    bill(r, 2 * vec_bytes(x));
}

/* y = x, also for pairs of floats, which are copied by halves: they may have more words than a kernel can
 * count. */
static inline void copy_elements(struct rec *r, const vks_vector *x, const vks_vector *y)
{
    if (!in_pairs(r->device, x->precision)) {
        copy(r, vec_of(x), vec_of(y));
        return;
    }
    for (uint64_t half = 0; half < 2; half++)
        copy_words(r, words_in(&x->memory, half * x->n), words_in(&y->memory, half * x->n), x->n);
}

/* y += alpha x */
static inline void axpy(struct rec *r, number alpha, struct vec x, struct vec y)
{
    assert(vecs_fit(x, y));
    run_in(r, x.precision, axpy, groups_each(x.n), .alpha = alpha, .x = vec_reals(x), .y = vec_reals(y),
           .n = x.n);
    bill(r, 3 * vec_bytes(x));
}

/* y = alpha x + beta y */
static inline void axpby(struct rec *r, number alpha, struct vec x, number beta, struct vec y)
{
    assert(vecs_fit(x, y));
    run_in(r, x.precision, axpby, groups_each(x.n), .alpha = alpha, .beta = beta, .x = vec_reals(x),
           .y = vec_reals(y), .n = x.n);
    bill(r, 3 * vec_bytes(x));
}

/* y -= alpha x */
static inline void subtract(struct rec *r, number alpha, struct vec x, struct vec y)
{
    assert(vecs_fit(x, y));
    run_in(r, x.precision, subtract, groups_each(x.n), .alpha = alpha, .x = vec_reals(x), .y = vec_reals(y),
           .n = x.n);
    bill(r, 3 * vec_bytes(x));
}

/* z = d x, element by element */
static inline void multiply_each(struct rec *r, struct vec d, struct vec x, struct vec z)
{
    assert(vecs_fit(d, x) && vecs_fit(x, z));
    run_in(r, x.precision, multiply_each, groups_each(x.n), .d = vec_reals(d), .x = vec_reals(x),
           .z = vec_reals(z), .n = x.n);
    bill(r, 3 * vec_bytes(x));
}

/* z = x / y, element by element */
static inline void divide_each(struct rec *r, struct vec x, struct vec y, struct vec z)
{
    assert(vecs_fit(x, y) && vecs_fit(y, z));
    run_in(r, x.precision, divide_each, groups_each(x.n), .x = vec_reals(x), .y = vec_reals(y),
           .z = vec_reals(z), .n = x.n);
    bill(r, 3 * vec_bytes(x));
}

/* y[i] = x[index[i]] (gather) or x[index[i]] = y[i] (scatter), for the elements of y. Indices beyond x give
 * NaN, or are skipped. */
static inline void gather_elements(struct rec *r, struct vec x, u32s index, struct vec y)
{
    run_in(r, x.precision, gather_elements, groups_each(y.n), .x = vec_reals(x), .index = index,
           .y = vec_reals(y), .n = y.n, .most = x.n);
    bill(r, 2 * vec_bytes(y) + 4 * (uint64_t)y.n);
}

static inline void scatter_elements(struct rec *r, struct vec y, u32s index, struct vec x)
{
    run_in(r, x.precision, scatter_elements, groups_each(y.n), .y = vec_reals(y), .index = index,
           .x = vec_reals(x), .n = y.n, .most = x.n);
    bill(r, 2 * vec_bytes(y) + 4 * (uint64_t)y.n);
}

/* z = w D x, where D is diagonal with one number per row if `varies`, else d[0] */
static inline void scale_each(struct rec *r, number w, reals d, bool varies, struct vec x, struct vec z)
{
    assert(vecs_fit(x, z));
    run_in(r, x.precision, scale_each, groups_each(x.n), .weight = w, .d = d, .x = vec_reals(x),
           .z = vec_reals(z), .n = x.n, .varies = varies);
    bill(r, (2 + (uint64_t)varies) * vec_bytes(x));
}

static inline void dot(struct rec *r, const struct reduction *w, struct vec x, struct vec y, number result)
{
    assert(vecs_fit(x, y));
    run_in(r, x.precision, dot, groups_tiles(x.n), .x = vec_reals(x), .y = vec_reals(y),
           .s = reduction_sums(w), .t = reduction_tickets(w), .result = result, .n = x.n);
    bill(r, 2 * vec_bytes(x));
}

/* y += alpha x, then x = z + beta x */
static inline void axpy_aypx(struct rec *r, number alpha, struct vec x, struct vec y, number beta,
                             struct vec z)
{
    assert(vecs_fit(x, y) && vecs_fit(x, z));
    run_in(r, x.precision, axpy_aypx, groups_each(x.n), .alpha = alpha, .beta = beta, .x = vec_reals(x),
           .y = vec_reals(y), .z = vec_reals(z), .n = x.n);
    bill(r, 5 * vec_bytes(x));
}

/* y += alpha x, z = d y, and results = { z . y, z . z }, by a reduction of two rows. */
static inline void axpy_multiply(struct rec *r, const struct reduction *w, number alpha, struct vec x,
                                 struct vec y, struct vec d, struct vec z, reals results)
{
    assert(vecs_fit(x, y) && vecs_fit(x, d) && vecs_fit(x, z));
    run_in(r, x.precision, axpy_multiply, groups_tiles(x.n), .alpha = alpha, .x = vec_reals(x),
           .y = vec_reals(y), .d = vec_reals(d), .z = vec_reals(z), .s = reduction_sums(w),
           .t = reduction_tickets(w), .results = results, .n = x.n, .stride = w->stride);
    bill(r, 5 * vec_bytes(x));
}

static inline void norm2(struct rec *r, const struct reduction *w, struct vec x, number result)
{
    run_in(r, x.precision, norm2, groups_tiles(x.n), .x = vec_reals(x), .s = reduction_sums(w),
           .t = reduction_tickets(w), .result = result, .n = x.n);
    bill(r, vec_bytes(x));
}

static inline void sum(struct rec *r, const struct reduction *w, struct vec x, number result)
{
    run_in(r, x.precision, sum, groups_tiles(x.n), .x = vec_reals(x), .s = reduction_sums(w),
           .t = reduction_tickets(w), .result = result, .n = x.n);
    bill(r, vec_bytes(x));
}

/* The most sums that the next kernel adds up itself. */
enum { SUM_FEW = 2048 };

/* Reduces `count` sums at `level`, in `rows` rows, to at most SUM_FEW. */
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

/* Reduces the tile sums (stripe sums) of a kernel over n elements, in `rows` rows from row `first` on, to the
 * number that the next kernel adds up itself. Does nothing for up to 524,288 (4,194,304) elements. */
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

/* The stripe sums of x . y in row `row` */
static inline void dot_stripes(struct rec *r, const struct reduction *w, uint32_t row, struct vec x,
                               struct vec y)
{
    assert(vecs_fit(x, y));
    uint64_t at = w->sums.address + row * (uint64_t)w->stride * real_bytes(x.precision);
    run_in(r, x.precision, dot_stripes, stripes_of_elements(x.n), .x = vec_reals(x), .y = vec_reals(y),
           .s = (sums)(uintptr_t)at, .n = x.n);
    bill(r, 2 * vec_bytes(x));
}

/* Whether a square kept all bits in the range of doubles; otherwise the operand must be scaled. */
static inline bool square_is_whole(double square)
{
    static const double smallest = 1e-280;
    return square >= smallest && isfinite(square);
}

/* result = (scale x) . (scale x) in double precision, with x in either */
static inline void wide_square(struct rec *r, const struct reduction *w, doubles scale, struct vec x,
                               doubles result)
{
    run_in(r, x.precision, wide_square, groups_tiles(x.n), .scale = scale, .x = vec_reals(x),
           .s = reduction_wide_sums(w), .t = reduction_tickets(w), .result = result, .n = x.n);
    bill(r, vec_bytes(x));
}

/* error = |r| / y, 0 for 0 / 0 */
static inline void backward_errors(struct rec *r, struct vec residual, struct vec y, struct vec error)
{
    assert(vecs_fit(residual, y) && vecs_fit(residual, error));
    run_in(r, error.precision, backward_errors, groups_each(error.n), .r = vec_reals(residual),
           .y = vec_reals(y), .error = vec_reals(error), .n = error.n);
    bill(r, 3 * vec_bytes(error));
}

/* eight rows of n results, see arithmetic.comp */
static inline void arithmetic(struct rec *r, reals x, reals y, reals results, uint32_t n)
{
    run(r, arithmetic, groups_each(n), .x = x, .y = y, .results = results, .n = n);
    bill(r, 10 * vector_bytes(r, n));
}

/* y = scale x, x in doubles, y in either precision */
static inline void narrow(struct rec *r, doubles scale, struct vec x, struct vec y)
{
    assert(x.n == y.n);
    run_in(r, y.precision, narrow, groups_each(x.n), .scale = scale, .x = vec_doubles(x), .y = vec_reals(y),
           .n = x.n);
    bill(r, vec_bytes(x) + vec_bytes(y));
}

/* y = x, from floats to doubles */
static inline void widen_floats(struct rec *r, struct vec x, struct vec y)
{
    assert(x.n == y.n && x.precision == PRECISION_F32 && y.precision == PRECISION_F64);
    run_in(r, x.precision, widen_values, groups_each(x.n), .from = vec_words(x), .to = vec_words(y),
           .n = x.n);
    bill(r, vec_bytes(x) + vec_bytes(y));
}

static inline pairs pairs_of(const struct memory *m)
{
    return (pairs)(uintptr_t)m->address;
}

/* y = scale x, from pairs of floats to floats */
static inline void pairs_narrow(struct rec *r, pairs scale, pairs x, struct vec y)
{
    assert(y.precision == PRECISION_F32);
    run_in(r, y.precision, pairs_narrow, groups_each(y.n), .scale = scale, .x = x, .y = vec_words(y),
           .n = y.n);
    bill(r, 12 * (uint64_t)y.n);
}

/* y += scale x, from floats to pairs of floats, and x = 0 */
static inline void pairs_add(struct rec *r, pairs scale, struct vec x, pairs y)
{
    assert(x.precision == PRECISION_F32);
    run_in(r, x.precision, pairs_add, groups_each(x.n), .scale = scale, .x = vec_words(x), .y = y, .n = x.n);
    bill(r, 24 * (uint64_t)x.n);
}

/* result = (scale x) . (scale x) in pairs of floats; the sums use the space of doubles */
static inline void pairs_square(struct rec *r, const struct reduction *w, pairs scale, pairs x, pairs result,
                                uint32_t n)
{
    run(r, pairs_square, groups_tiles(n), .scale = scale, .x = x, .s = (pair_sums)reduction_wide_sums(w),
        .t = reduction_tickets(w), .result = result, .n = n);
    bill(r, 8 * (uint64_t)n);
}

/* y += scale x, from either precision to doubles, and x = 0 */
static inline void widen_add(struct rec *r, doubles scale, struct vec x, struct vec y)
{
    assert(x.n == y.n);
    run_in(r, x.precision, widen_add, groups_each(x.n), .scale = scale, .x = vec_reals(x),
           .y = vec_doubles(y), .n = x.n);
    bill(r, 2 * vec_bytes(x) + 2 * vec_bytes(y));
}

#endif
