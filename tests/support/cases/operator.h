/* The cases of the kernels of operators, built with the identity; and of the other kernels that solves with
 * operators need. */
#ifndef VKS_TESTS_OPERATOR_CASES_H
#define VKS_TESTS_OPERATOR_CASES_H

#include "host/operator/call.h"
#include "tests/support/job.h"

static void identity_f64(const vks_operator_view *A, uint32_t first, uint32_t count, const double *x,
                         double *y)
{
    cr_assert(count >= 1 && count <= 256 && first + count <= A->n, "rows %u, %u of %u", first, count, A->n);
    memcpy(y + first, x + first, count * sizeof *y);
}

static void identity_f32(const vks_operator_view *A, uint32_t first, uint32_t count, const float *x, float *y)
{
    cr_assert(count >= 1 && count <= 256 && first + count <= A->n, "rows %u, %u of %u", first, count, A->n);
    memcpy(y + first, x + first, count * sizeof *y);
}

/* At most one for each size: it must exist as long as the recording. */
static inline u32s identity_call(uint32_t n)
{
    static struct operator_call call;
    call = (struct operator_call){.view.n = n, .f64 = identity_f64, .f32 = identity_f32};
    return (u32s)(void *)&call;
}

static inline void record_operator_product(struct job *j)
{
    const struct memory *x = put(j, j->x, j->n, "x");
    run(&j->r, operator_product, groups_each(j->n), .call = identity_call(j->n), .x = reals_at(x),
        .y = reals_at(compared(j, new_reals(j, j->n, "y"), j->p, j->n)), .n = j->n);
}

static inline void expect_operator_product(const struct job *j, double *want)
{
    memcpy(want, j->x, j->n * sizeof *want);
}

/* Records a product behind a guard word with the value `stopped`. */
static inline void record_operator_in(struct job *j, uint32_t stopped, bool dot)
{
    rec_guard(&j->r, words_at(put_words(j, &stopped, 1, "a guard")));
    const struct memory *x = put(j, j->x, j->n, "x"), *y = compared(j, put(j, j->y, j->n, "y"), j->p, j->n);
    if (!dot) {
        run(&j->r, operator_product, groups_each(j->n), .call = identity_call(j->n), .x = reals_at(x),
            .y = reals_at(y), .n = j->n);
        return;
    }
    const struct reduction *w = new_reduction(j, 1);
    compared(j, &w->sums, j->p, j->n ? (j->n - 1) / 256 + 1 : 1);
    run(&j->r, operator_product_dot, groups_each(j->n), .call = identity_call(j->n), .x = reals_at(x),
        .y = reals_at(y), .s = reduction_sums(w), .n = j->n);
}

static inline void record_operator_product_dot(struct job *j)
{
    record_operator_in(j, 0, true);
}

static inline void expect_operator_product_dot(const struct job *j, double *want)
{
    memcpy(want, j->x, j->n * sizeof *want);
    want += j->n;
    for (uint32_t first = 0; first == 0 || first < j->n; first += 256)
        *want++ = canonical_dot(j->p, j->x + first, j->x + first, j->n - first < 256 ? j->n - first : 256);
}

/* y does not change. */
static inline void record_operator_behind_a_guard(struct job *j)
{
    record_operator_in(j, 1, false);
}

static inline void expect_operator_behind_a_guard(const struct job *j, double *want)
{
    memcpy(want, j->y, j->n * sizeof *want);
}

/* r has doubles that are not floats. */
static inline double *products(uint32_t n)
{
    return random_vector(PRECISION_F64, n, 20, 19);
}

static inline void record_product_residual_of(struct job *j, bool fixpoint)
{
    double *v = products(j->n);
    const struct memory *x = put(j, j->x, j->n, "x"), *b = put(j, j->y, j->n, "b"),
                        *r = compared(j, put_as(j, PRECISION_F64, v, j->n, "r"), PRECISION_F64, j->n);
    free(v);
    run(&j->r, product_residual, groups_each(j->n), .x = reals_at(x), .b = reals_at(b), .r = doubles_at(r),
        .n = j->n, .fixpoint = fixpoint);
}

static inline void record_product_residual(struct job *j)
{
    record_product_residual_of(j, false);
}

static inline void record_product_residual_of_fixpoint(struct job *j)
{
    record_product_residual_of(j, true);
}

static inline void expect_product_residual(const struct job *j, double *want)
{
    double *v = products(j->n);
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = j->y[i] - v[i];
    free(v);
}

static inline void expect_product_residual_of_fixpoint(const struct job *j, double *want)
{
    double *v = products(j->n);
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = (j->y[i] + v[i]) - j->x[i];
    free(v);
}

/* Some are zero, negative, not finite, or equal to the first. */
static inline double given_diagonal(const struct job *j, uint32_t i)
{
    uint32_t w = j->words[i] % 97;
    return w == 1 ? 0 : w == 2 ? INFINITY : w == 3 ? NAN : w < 30 ? j->x[0] : j->x[i];
}

static inline void record_invert_diagonal(struct job *j)
{
    static const uint32_t none[4] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    double *a = room(j->n, sizeof *a);
    for (uint32_t i = 0; i < j->n; i++)
        a[i] = given_diagonal(j, i);
    const struct memory *given = put(j, a, j->n, "the diagonal"),
                        *d = compared(j, new_reals(j, j->n, "its inverse"), j->p, j->n);
    free(a);
    run(&j->r, invert_diagonal, groups_each(j->n), .a = reals_at(given), .d = reals_at(d),
        .flags = words_at(compared_words(j, put_words(j, none, 4, "flags"), 4)), .n = j->n);
}

static inline void expect_invert_diagonal(const struct job *j, double *want)
{
    double *flags = want + j->n;
    flags[0] = flags[1] = flags[2] = flags[3] = UINT32_MAX;
    for (uint32_t i = j->n; i-- > 0;) {
        double a = given_diagonal(j, i);
        want[i] = rounded(j->p, 1 / a);
        int fault = a == 0 ? 0 : !isfinite(a) || !isfinite(want[i]) ? 2 : a < 0 ? 1 : -1;
        if (fault >= 0)
            flags[fault] = i;
        if (a != given_diagonal(j, 0))
            flags[3] = i;
    }
}

/* X(case, further members) */
#define OPERATOR_CASES(X)                         \
    X(operator_product, .once = false)            \
    X(operator_product_dot, .once = false)        \
    X(operator_behind_a_guard, .once = false)     \
    X(product_residual, .once = true)             \
    X(product_residual_of_fixpoint, .once = true) \
    X(invert_diagonal, .once = false)

#endif
