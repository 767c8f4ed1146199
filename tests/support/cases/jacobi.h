/* The cases of the kernels of the Jacobi iteration. */
#ifndef VKS_TESTS_JACOBI_CASES_H
#define VKS_TESTS_JACOBI_CASES_H

#include "shaders/solver/state.h"
#include "tests/support/job.h"

/* The state of a solve after 11 of 16 iterations allowed, and three iterations of the sweep under way. The
 * numbers are in the order of shaders/solver/control.glsl and jacobi.glsl. */
enum { CONTROL_NUMBERS = 5, CONTROL_SCALE = 3, JACOBI_NUMBERS = 8, JACOBI_WEIGHT = 4 };
static const uint32_t control_words[] = {STATE_RUNNING, 11, 16, 0}, jacobi_words[] = {3, 0};
static const double jacobi_scale = 8, jacobi_weight = 0.75;

/* Words, followed by numbers. */
static inline const struct memory *put_mixed(struct job *j, const uint32_t *words, uint32_t word_count,
                                             const double *v, uint32_t count, const char *what)
{
    uint64_t real = real_bytes(j->p), first = 4 * (uint64_t)word_count;
    struct memory *m = new_bytes(j, first + count * real, what);
    job_must(j, device_write(j->d, m, 0, words, first));
    job_must(j, upload_values(j->d, m, public_precision(j->p), first / real, count, VKS_F64, v));
    return m;
}

static inline const struct memory *put_control(struct job *j)
{
    double v[CONTROL_NUMBERS] = {[CONTROL_SCALE] = jacobi_scale};
    return put_mixed(j, control_words, 4, v, CONTROL_NUMBERS, "control");
}

static inline const struct memory *put_jacobi_numbers(struct job *j)
{
    double v[JACOBI_NUMBERS] = {[JACOBI_WEIGHT] = jacobi_weight};
    return put_mixed(j, jacobi_words, 2, v, JACOBI_NUMBERS, "numbers");
}

/* Compares `count` numbers after `words` words. */
static inline void compared_behind(struct job *j, const struct memory *m, uint32_t words, uint32_t count)
{
    compared(j, m, j->p, count);
    j->outputs[j->output_count - 1].first = 4 * (uint64_t)words / real_bytes(j->p);
}

/* q and d are x and y in reverse order. */
static inline double *backwards(const double *v, uint32_t n)
{
    double *back = room(n, 8);
    for (uint32_t i = 0; i < n; i++)
        back[i] = v[n - 1 - i];
    return back;
}

static inline const struct memory *put_backwards(struct job *j, const double *v, const char *what)
{
    double *back = backwards(v, j->n);
    const struct memory *m = put(j, back, j->n, what);
    free(back);
    return m;
}

/* The sums of a check are visible in its result: r . r, whatever shape the sums have. */
static inline void record_check_of(struct job *j, bool fixpoint)
{
    const struct memory *x = put(j, j->x, j->n, "x"), *b = put(j, j->y, j->n, "b");
    const struct memory *q = put_backwards(j, j->x, "q"), *v = put_jacobi_numbers(j);
    const struct memory *words = put_control(j);
    double zeros[2] = {0};
    const struct memory *history = put(j, zeros, 2, "history");
    const struct reduction *w = new_reduction(j, 1);
    control c = (control)(uintptr_t)words->address;
    jacobi_numbers numbers = (jacobi_numbers)(uintptr_t)v->address;
    run(&j->r, jacobi_check, stripes_of_elements(j->n), .c = c, .x = reals_at(x), .b = reals_at(b),
        .q = reals_at(q), .s = reduction_sums(w), .n = j->n, .fixpoint = fixpoint);
    stripe_levels(&j->r, w, j->n, 0, 1);
    run(&j->r, jacobi_decide, 1, .c = c, .w = numbers, .history = reals_at(history), .s = reduction_sums(w),
        .n = j->n, .kept = 2);
    compared(j, history, j->p, 2);
    compared_behind(j, v, 2, 4);
    compared_behind(j, words, 4, 1);
    compared_words(j, words, 1);
}

/* The first check of a cycle, in iteration 11: r . r is that of the start, and second in the history. */
static inline void expect_check_of(const struct job *j, bool fixpoint, double *want)
{
    double *q = backwards(j->x, j->n), *terms = room(j->n, 8);
    for (uint32_t i = 0; i < j->n; i++) {
        double e =
            fixpoint ? rounded(j->p, rounded(j->p, j->y[i] + q[i]) - j->x[i]) : rounded(j->p, j->y[i] - q[i]);
        e = rounded(j->p, e / jacobi_scale);
        terms[i] = rounded(j->p, e * e);
    }
    double rr = canonical_sum(j->p, terms, j->n);
    const double numbers[] = {rr, rr, 0, 0, rr};
    want[0] = 0;
    want[1] = rr;
    memcpy(want + 2, numbers, sizeof numbers);
    want[7] = rr == 0 ? STATE_MET : STATE_DIVERGED; /* stop and ceiling are 0 */
    free(q);
    free(terms);
}

static inline void record_jacobi_check(struct job *j)
{
    record_check_of(j, false);
}

static inline void expect_jacobi_check(const struct job *j, double *want)
{
    expect_check_of(j, false, want);
}

static inline void record_fixpoint_check(struct job *j)
{
    record_check_of(j, true);
}

static inline void expect_fixpoint_check(const struct job *j, double *want)
{
    expect_check_of(j, true, want);
}

/* Steps 0 to 3 of a sweep that has three. */
static inline void record_update_of(struct job *j, bool fixpoint)
{
    const struct memory *x = put(j, j->x, j->n, "x"), *b = put(j, j->y, j->n, "b");
    const struct memory *q = put_backwards(j, j->x, "q"), *d = put_backwards(j, j->y, "d");
    const struct memory *v = put_jacobi_numbers(j), *words = put_control(j);
    for (uint32_t step = 2; step < 5; step++)
        run(&j->r, jacobi_update, groups_each(j->n), .c = (control)(uintptr_t)words->address,
            .w = (jacobi_numbers)(uintptr_t)v->address, .x = reals_at(x), .b = reals_at(b), .q = reals_at(q),
            .d = reals_at(d), .n = j->n, .fixpoint = fixpoint, .step = step);
    compared(j, x, j->p, j->n);
}

/* One update: steps 3 and 4 are not in the sweep. */
static inline void expect_update_of(const struct job *j, bool fixpoint, double *want)
{
    double *q = backwards(j->x, j->n), *d = backwards(j->y, j->n);
    for (uint32_t i = 0; i < j->n; i++) {
        double z = rounded(j->p, d[i] * rounded(j->p, j->y[i] - q[i]));
        want[i] = fixpoint ? rounded(j->p, q[i] + j->y[i])
                           : rounded(j->p, j->x[i] + rounded(j->p, jacobi_weight * z));
    }
    free(q);
    free(d);
}

static inline void record_jacobi_update(struct job *j)
{
    record_update_of(j, false);
}

static inline void expect_jacobi_update(const struct job *j, double *want)
{
    expect_update_of(j, false, want);
}

static inline void record_fixpoint_update(struct job *j)
{
    record_update_of(j, true);
}

static inline void expect_fixpoint_update(const struct job *j, double *want)
{
    expect_update_of(j, true, want);
}

/* A first step, into y for x, and a step that continues from x. */
static inline void record_jacobi_step(struct job *j)
{
    const struct memory *x = put(j, j->x, j->n, "x"), *b = put(j, j->y, j->n, "b"),
                        *v = put_jacobi_numbers(j);
    const struct memory *q = put_backwards(j, j->x, "q"), *d = put_backwards(j, j->y, "d");
    const struct memory *first = put(j, j->y, j->n, "a first step");
    number weight = (number)(uintptr_t)(v->address + 8 + JACOBI_WEIGHT * real_bytes(j->p));
    run(&j->r, jacobi_step, groups_each(j->n), .weight = weight, .x = reals_at(first), .b = reals_at(b),
        .q = reals_at(q), .d = reals_at(d), .n = j->n, .first = 1);
    run(&j->r, jacobi_step, groups_each(j->n), .weight = weight, .x = reals_at(x), .b = reals_at(b),
        .q = reals_at(q), .d = reals_at(d), .n = j->n);
    compared(j, x, j->p, j->n);
    compared(j, first, j->p, j->n);
}

static inline void expect_jacobi_step(const struct job *j, double *want)
{
    double *q = backwards(j->x, j->n), *d = backwards(j->y, j->n);
    for (uint32_t i = 0; i < j->n; i++) {
        double z = rounded(j->p, d[i] * rounded(j->p, j->y[i] - q[i]));
        want[i] = rounded(j->p, j->x[i] + rounded(j->p, jacobi_weight * z));
        want[j->n + i] = rounded(j->p, jacobi_weight * rounded(j->p, d[i] * j->y[i]));
    }
    free(q);
    free(d);
}

#define JACOBI_CASES(X)              \
    X(jacobi_check, .once = true)    \
    X(fixpoint_check, .once = true)  \
    X(jacobi_update, .once = true)   \
    X(fixpoint_update, .once = true) \
    X(jacobi_step, .once = true)

#endif
