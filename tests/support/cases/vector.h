/* The cases of the kernels of shaders/vector/, through their verbs. */
#ifndef VKS_TESTS_VECTOR_CASES_H
#define VKS_TESTS_VECTOR_CASES_H

#include "tests/support/job.h"

static inline void record_fill(struct job *j)
{
    const struct memory *value = put(j, (double[]){-1.0 / 3}, 1, "a number");
    fill(&j->r, number_at(value), job_vec(j, compared(j, new_reals(j, j->n, "y"), j->p, j->n)));
}

static inline void expect_fill(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = rounded(j->p, -1.0 / 3);
}

static inline void record_copy(struct job *j)
{
    const struct memory *x = compared(j, put(j, j->x, j->n, "x"), j->p, j->n);
    copy(&j->r, job_vec(j, x), job_vec(j, compared(j, new_reals(j, j->n, "y"), j->p, j->n)));
}

static inline void expect_copy(const struct job *j, double *want)
{
    memcpy(want, j->x, j->n * sizeof *want);
    memcpy(want + j->n, j->x, j->n * sizeof *want);
}

static inline void record_copy_words(struct job *j)
{
    const struct memory *x = put_words(j, j->words, j->n, "x");
    const struct memory *y = compared_words(j, new_bytes(j, 4 * (uint64_t)j->n, "y"), j->n);
    copy_words(&j->r, words_at(x), words_at(y), j->n);
}

static inline void expect_copy_words(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = j->words[i];
}

static const double axpy_alpha = -0.7123456789;

/* Records a verb that adds a multiple of x to y. */
static inline void record_multiple(struct job *j, void (*verb)(struct rec *, number, struct vec, struct vec))
{
    const struct memory *alpha = put(j, &axpy_alpha, 1, "alpha");
    const struct memory *x = compared(j, put(j, j->x, j->n, "x"), j->p, j->n);
    const struct memory *y = compared(j, put(j, j->y, j->n, "y"), j->p, j->n);
    verb(&j->r, number_at(alpha), job_vec(j, x), job_vec(j, y));
}

static inline void expect_multiple(const struct job *j, double sign, double *want)
{
    double alpha = rounded(j->p, axpy_alpha);
    memcpy(want, j->x, j->n * sizeof *want);
    for (uint32_t i = 0; i < j->n; i++)
        want[j->n + i] = rounded(j->p, j->y[i] + sign * rounded(j->p, alpha * j->x[i]));
}

static inline void record_axpy(struct job *j)
{
    record_multiple(j, axpy);
}

static inline void expect_axpy(const struct job *j, double *want)
{
    expect_multiple(j, 1, want);
}

static inline void record_subtract(struct job *j)
{
    record_multiple(j, subtract);
}

static inline void expect_subtract(const struct job *j, double *want)
{
    expect_multiple(j, -1, want);
}

static inline void record_multiply_each(struct job *j)
{
    const struct memory *x = put(j, j->x, j->n, "x"), *d = put(j, j->y, j->n, "d");
    const struct memory *z = compared(j, new_reals(j, j->n, "z"), j->p, j->n);
    multiply_each(&j->r, job_vec(j, d), job_vec(j, x), job_vec(j, z));
}

static inline void expect_multiply_each(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = rounded(j->p, j->y[i] * j->x[i]);
}

static const double scale_weight = 0.7123456789;

/* d has one value more than it needs. */
static inline void record_scale_of(struct job *j, bool varies)
{
    double *d = room(j->n + (size_t)1, 8);
    memcpy(d, j->y, j->n * sizeof *d);
    const struct memory *weight = put(j, &scale_weight, 1, "w"), *x = put(j, j->x, j->n, "x");
    const struct memory *z = compared(j, new_reals(j, j->n, "z"), j->p, j->n);
    scale_each(&j->r, number_at(weight), reals_at(put(j, d, j->n + (uint64_t)1, "d")), varies, job_vec(j, x),
               job_vec(j, z));
    free(d);
}

static inline void expect_scale_of(const struct job *j, bool varies, double *want)
{
    double w = rounded(j->p, scale_weight);
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = rounded(j->p, w * rounded(j->p, j->y[varies ? i : 0] * j->x[i]));
}

static inline void record_scale_each(struct job *j)
{
    record_scale_of(j, true);
}

static inline void expect_scale_each(const struct job *j, double *want)
{
    expect_scale_of(j, true, want);
}

static inline void record_scale_by_one(struct job *j)
{
    record_scale_of(j, false);
}

static inline void expect_scale_by_one(const struct job *j, double *want)
{
    expect_scale_of(j, false, want);
}

static const double narrow_scale = 0x1p-5;

static inline void record_narrow(struct job *j)
{
    const struct memory *scale = put_as(j, PRECISION_F64, &narrow_scale, 1, "scale");
    double *x = random_vector(PRECISION_F64, j->n, 30, 17);
    const struct memory *wide = put_as(j, PRECISION_F64, x, j->n, "x");
    free(x);
    const struct memory *y = compared(j, new_reals(j, j->n, "y"), j->p, j->n);
    narrow(&j->r, doubles_at(scale), job_doubles(j, wide), job_vec(j, y));
}

static inline void expect_narrow(const struct job *j, double *want)
{
    double *x = random_vector(PRECISION_F64, j->n, 30, 17);
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = rounded(j->p, narrow_scale * x[i]);
    free(x);
}

/* y has doubles that are not floats. */
static inline double *wide_values(uint32_t n)
{
    return random_vector(PRECISION_F64, n, 20, 18);
}

static inline void record_widen_add(struct job *j)
{
    const struct memory *scale = put_as(j, PRECISION_F64, &narrow_scale, 1, "scale");
    const struct memory *x = compared(j, put(j, j->x, j->n, "x"), j->p, j->n);
    double *y = wide_values(j->n);
    const struct memory *wide = compared(j, put_as(j, PRECISION_F64, y, j->n, "y"), PRECISION_F64, j->n);
    free(y);
    widen_add(&j->r, doubles_at(scale), job_vec(j, x), job_doubles(j, wide));
}

static inline void expect_widen_add(const struct job *j, double *want)
{
    double *y = wide_values(j->n);
    for (uint32_t i = 0; i < j->n; i++) {
        want[i] = 0;
        want[j->n + i] = y[i] + narrow_scale * j->x[i];
    }
    free(y);
}

static inline void record_dot(struct job *j)
{
    const struct memory *x = put(j, j->x, j->n, "x"), *y = put(j, j->y, j->n, "y");
    const struct memory *result = compared(j, new_reals(j, 1, "the result"), j->p, 1);
    dot(&j->r, new_reduction(j, 1), job_vec(j, x), job_vec(j, y), number_at(result));
}

static inline void expect_dot(const struct job *j, double *want)
{
    *want = canonical_dot(j->p, j->x, j->y, j->n);
}

/* |error| <= (log2 n + 10) u sum |x y|: a term has one rounding as a product and at most log2 n + 8 in the
 * sum. */
static inline void check_sum(const struct job *j, double got, const double *x, const double *y)
{
    struct precise_sum exact = {0}, magnitude = {0};
    for (uint32_t i = 0; i < j->n; i++) {
        long double term = (long double)x[i] * (y ? y[i] : 1);
        precise_add(&exact, term);
        precise_add(&magnitude, fabsl(term));
    }
    long double unit = j->p == PRECISION_F64 ? 0x1p-53L : 0x1p-24L;
    long double bound = (log2l(j->n + 1.0L) + 10) * unit * precise_value(&magnitude);
    long double error = fabsl(got - precise_value(&exact));
    cr_assert(error <= bound, "the error %Lg of a sum is above its bound %Lg", error, bound);
}

static inline void check_dot(const struct job *j, const double *got)
{
    check_sum(j, *got, j->x, j->y);
}

static inline void record_sum(struct job *j)
{
    const struct memory *x = put(j, j->x, j->n, "x");
    const struct memory *result = compared(j, new_reals(j, 1, "the result"), j->p, 1);
    sum(&j->r, new_reduction(j, 1), job_vec(j, x), number_at(result));
}

static inline void expect_sum(const struct job *j, double *want)
{
    double *terms = room(j->n, sizeof *terms);
    memcpy(terms, j->x, j->n * sizeof *terms);
    *want = canonical_sum(j->p, terms, j->n);
    free(terms);
}

static inline void check_plain_sum(const struct job *j, const double *got)
{
    check_sum(j, *got, j->x, NULL);
}

static inline void record_norm2(struct job *j)
{
    const struct memory *x = put(j, j->x, j->n, "x");
    const struct memory *result = compared(j, new_reals(j, 1, "the result"), j->p, 1);
    norm2(&j->r, new_reduction(j, 1), job_vec(j, x), number_at(result));
}

static inline void expect_norm2(const struct job *j, double *want)
{
    *want = rounded(j->p, sqrt(canonical_dot(j->p, j->x, j->x, j->n)));
}

/* A power of two, so that the expected bits are those of the unscaled sum times its square. */
static const double square_scale = 0.5;

static inline void record_wide_square(struct job *j)
{
    const struct memory *scale = put_as(j, PRECISION_F64, &square_scale, 1, "the scale");
    const struct memory *x = put(j, j->x, j->n, "x");
    const struct memory *result = compared(j, new_bytes(j, 8, "the result"), PRECISION_F64, 1);
    wide_square(&j->r, new_reduction(j, 1), doubles_at(scale), job_vec(j, x), doubles_at(result));
}

static inline void expect_wide_square(const struct job *j, double *want)
{
    *want = square_scale * square_scale * canonical_dot(PRECISION_F64, j->x, j->x, j->n);
}

static inline void record_square_of_doubles(struct job *j)
{
    const struct memory *scale = put_as(j, PRECISION_F64, &square_scale, 1, "the scale");
    const struct memory *x = put_as(j, PRECISION_F64, j->x, j->n, "x");
    const struct memory *result = compared(j, new_bytes(j, 8, "the result"), PRECISION_F64, 1);
    wide_square(&j->r, new_reduction(j, 1), doubles_at(scale), job_doubles(j, x), doubles_at(result));
}

static inline void expect_square_of_doubles(const struct job *j, double *want)
{
    expect_wide_square(j, want);
}

/* n tile sums in each of three rows; the last two are reduced to at most 2,048. x has the sums of the second
 * row, y those of the others. */
static inline void record_tile_levels(struct job *j)
{
    uint32_t elements = 256 * j->n;
    struct reduction *w = &j->reductions[j->reduction_count++];
    job_must(j, reduction_create(j->d, elements, 3, w));
    vks_precision p = public_precision(j->p);
    for (uint32_t row = 0; row < 3; row++)
        job_must(j, upload_values(j->d, &w->sums, p, row * w->stride, j->n, VKS_F64, row == 1 ? j->x : j->y));
    compared(j, &w->sums, j->p, 3 * (uint64_t)w->stride);
    tile_levels(&j->r, w, elements, 1, 2);
}

/* Elements that no kernel has written are NaN. */
static inline void expect_tile_levels(const struct job *j, double *want)
{
    uint32_t stride = j->reductions[0].stride;
    for (uint32_t k = 0; k < 3 * stride; k++)
        want[k] = NAN;
    for (uint32_t row = 0; row < 3; row++) {
        double *level = want + (size_t)row * stride, group[256];
        memcpy(level, row == 1 ? j->x : j->y, j->n * sizeof *level);
        for (uint32_t count = j->n; row && count > 2048; count = (count + 255) / 256) {
            for (uint32_t first = 0; first < count; first += 256) {
                uint32_t length = count - first < 256 ? count - first : 256;
                memcpy(group, level + first, length * sizeof *group);
                level[count + first / 256] = canonical_sum(j->p, group, length);
            }
            level += count;
        }
    }
}

/* n stripe sums in each of three rows; the last two are summed in groups of 32, repeatedly, down to 2,048. */
static inline void record_stripe_levels(struct job *j)
{
    uint32_t n = j->n ? j->n : 1, elements = 256 * (256 * (n / 32) + n % 32);
    struct reduction *w = &j->reductions[j->reduction_count++];
    job_must(j, reduction_create(j->d, elements, 3, w));
    vks_precision p = public_precision(j->p);
    for (uint32_t row = 0; row < 3; row++) {
        job_must(j, upload_values(j->d, &w->sums, p, row * w->stride, j->n, VKS_F64, row == 1 ? j->x : j->y));
        compared(j, &w->sums, j->p, j->n > 2048 ? n + (n + 31) / 32 : j->n);
        j->outputs[row].first = row * w->stride;
    }
    stripe_levels(&j->r, w, elements, 1, 2);
}

static inline void expect_stripe_levels(const struct job *j, double *want)
{
    for (uint32_t row = 0; row < 3; row++) {
        const double *s = row == 1 ? j->x : j->y;
        memcpy(want, s, j->n * sizeof *want);
        want += j->n;
        for (uint32_t first = 0; j->n > 2048 && first < j->n; first += 32) {
            double v[32];
            for (uint32_t k = 0; k < 32; k++)
                v[k] = first + k < j->n ? s[first + k] : 0;
            for (uint32_t half = 16; half; half /= 2)
                for (uint32_t k = 0; k < half; k++)
                    v[k] = rounded(j->p, v[k] + v[k + half]);
            *want++ = row ? v[0] : NAN;
        }
    }
}

static inline void record_arithmetic(struct job *j)
{
    const struct memory *x = put(j, j->x, j->n, "x"), *y = put(j, j->y, j->n, "y");
    const struct memory *results =
        compared(j, new_reals(j, 8 * (uint64_t)j->n, "results"), j->p, 8 * (uint64_t)j->n);
    arithmetic(&j->r, reals_at(x), reals_at(y), reals_at(results), j->n);
}

static inline void expect_arithmetic(const struct job *j, double *want)
{
    size_t n = j->n;
    for (size_t i = 0; i < n; i++) {
        double a = j->x[i], b = j->y[i];
        want[i] = rounded(j->p, a + b);
        want[n + i] = rounded(j->p, a - b);
        want[2 * n + i] = rounded(j->p, a * b);
        want[3 * n + i] = rounded(j->p, a / b);
        want[4 * n + i] = rounded(j->p, sqrt(a));
        want[5 * n + i] = rounded(j->p, rounded(j->p, a * b) + a);
        want[6 * n + i] = rounded_once(j->p, a, b, i & 1 ? a : -rounded(j->p, a * b));
        want[7 * n + i] = rounded(j->p, 1 / a);
    }
}

/* X(verb, further members) */
#define VECTOR_CASES(X)                 \
    X(fill, .once = false)              \
    X(copy, .once = false)              \
    X(copy_words, .once = false)        \
    X(axpy, .once = true)               \
    X(subtract, .once = true)           \
    X(multiply_each, .once = false)     \
    X(scale_each, .once = false)        \
    X(scale_by_one, .once = false)      \
    X(narrow, .once = false)            \
    X(widen_add, .once = true)          \
    X(dot, .check = check_dot)          \
    X(sum, .check = check_plain_sum)    \
    X(norm2, .once = false)             \
    X(wide_square, .once = false)       \
    X(tile_levels, .once = false)       \
    X(stripe_levels, .once = false)     \
    X(square_of_doubles, .once = false) \
    X(arithmetic, .once = false)

#endif
