/* The cases of the kernels of the Chebyshev preconditioner, through their arguments. */
#ifndef VKS_TESTS_CHEBYSHEV_CASES_H
#define VKS_TESTS_CHEBYSHEV_CASES_H

#include "tests/support/job.h"

static const double chebyshev_weight = 0.7123456789;

/* x' = x + w (d (b - q)), where x and q are those of the job, b is q from its end, and d x from its end. */
static inline void record_step_of(struct job *j, bool varies, bool from_zero)
{
    double *b = room(j->n, 8), *d = room(j->n + (size_t)1, 8);
    for (uint32_t i = 0; i < j->n; i++) {
        b[i] = j->y[j->n - 1 - i];
        d[i] = j->x[j->n - 1 - i];
    }
    const struct memory *weight = put(j, &chebyshev_weight, 1, "w"), *q = put(j, j->y, j->n, "q");
    const struct memory *x = compared(j, put(j, j->x, j->n, "x"), j->p, j->n);
    run(&j->r, chebyshev_step, groups_each(j->n), .weight = number_at(weight),
        .d = reals_at(put(j, d, j->n + (uint64_t)1, "d")), .b = reals_at(put(j, b, j->n, "b")),
        .q = reals_at(q), .x = reals_at(x), .n = j->n, .varies = varies, .from_zero = from_zero);
    free(b);
    free(d);
}

static inline void expect_step_of(const struct job *j, bool varies, bool from_zero, double *want)
{
    double w = rounded(j->p, chebyshev_weight);
    for (uint32_t i = 0; i < j->n; i++) {
        double d = j->x[varies ? j->n - 1 - i : j->n - 1], b = j->y[j->n - 1 - i];
        double t = from_zero ? b : rounded(j->p, b - j->y[i]);
        double change = rounded(j->p, w * rounded(j->p, d * t));
        want[i] = from_zero ? change : rounded(j->p, j->x[i] + change);
    }
}

#define STEP_CASE_(name, varies, from_zero)                             \
    static inline void record_##name(struct job *j)                     \
    {                                                                   \
        record_step_of(j, varies, from_zero);                           \
    }                                                                   \
    static inline void expect_##name(const struct job *j, double *want) \
    {                                                                   \
        expect_step_of(j, varies, from_zero, want);                     \
    }
STEP_CASE_(chebyshev_step, true, false)
STEP_CASE_(chebyshev_step_of_one, false, false)
STEP_CASE_(chebyshev_step_from_zero, true, true)
#undef STEP_CASE_

/* The magnitudes of x, of which there is one at least. */
static inline double *positive(const struct job *j)
{
    double *d = room(j->n + (size_t)1, 8);
    for (uint32_t i = 0; i < j->n; i++)
        d[i] = fabs(j->x[i]);
    return d;
}

static inline void record_start_of(struct job *j, bool varies)
{
    double *d = positive(j);
    const struct memory *r = compared(j, new_reals(j, j->n, "r"), j->p, j->n);
    run(&j->r, lanczos_start, groups_each(j->n), .d = reals_at(put(j, d, j->n + (uint64_t)1, "d")),
        .r = reals_at(r), .n = j->n, .varies = varies);
    free(d);
}

/* The finalizer of MurmurHash3, of which 24 bits are used. */
static inline void expect_start_of(const struct job *j, bool varies, double *want)
{
    double *d = positive(j);
    for (uint32_t i = 0; i < j->n; i++) {
        uint32_t h = i + 1;
        h ^= h >> 16;
        h *= 0x85EBCA6Bu;
        h ^= h >> 13;
        h *= 0xC2B2AE35u;
        h ^= h >> 16;
        want[i] = rounded(j->p, (ldexp(h >> 8, -23) - 1) / rounded(j->p, sqrt(d[varies ? i : 0])));
    }
    free(d);
}

static inline void record_lanczos_start(struct job *j)
{
    record_start_of(j, true);
}

static inline void expect_lanczos_start(const struct job *j, double *want)
{
    expect_start_of(j, true, want);
}

static inline void record_lanczos_start_of_one(struct job *j)
{
    record_start_of(j, false);
}

static inline void expect_lanczos_start_of_one(const struct job *j, double *want)
{
    expect_start_of(j, false, want);
}

/* r.z and z.u */
static const double lanczos_found[] = {7.123456789, -0.987654321};

/* r and u are those of the job, and q is u. */
static inline void record_lanczos_of(struct job *j, bool first)
{
    const struct memory *found = put(j, lanczos_found, 2, "r.z and z.u"), *u = put(j, j->y, j->n, "u");
    const struct memory *r = compared(j, put(j, j->x, j->n, "r"), j->p, j->n);
    const struct memory *q = compared(j, put(j, j->y, j->n, "q"), j->p, j->n);
    run(&j->r, lanczos_step, groups_each(j->n), .found = reals_at(found), .r = reals_at(r), .u = reals_at(u),
        .q = reals_at(q), .n = j->n, .first = first);
}

static inline void expect_lanczos_of(const struct job *j, bool first, double *want)
{
    enum precision p = j->p;
    double rz = rounded(p, lanczos_found[0]), zu = rounded(p, lanczos_found[1]);
    double beta = rounded(p, sqrt(rz)), inverse = rounded(p, 1 / beta), alpha = rounded(p, zu / rz);
    for (uint32_t i = 0; i < j->n; i++) {
        double next = rounded(p, inverse * j->x[i]);
        double e = rounded(p, rounded(p, inverse * j->y[i]) - rounded(p, alpha * next));
        want[i] = first ? e : rounded(p, e - rounded(p, beta * j->y[i]));
        want[j->n + i] = next;
    }
}

static inline void record_lanczos_step(struct job *j)
{
    record_lanczos_of(j, false);
}

static inline void expect_lanczos_step(const struct job *j, double *want)
{
    expect_lanczos_of(j, false, want);
}

static inline void record_lanczos_first_step(struct job *j)
{
    record_lanczos_of(j, true);
}

static inline void expect_lanczos_first_step(const struct job *j, double *want)
{
    expect_lanczos_of(j, true, want);
}

#define CHEBYSHEV_CASES(X)                     \
    X(chebyshev_step, .once = true)            \
    X(chebyshev_step_of_one, .once = true)     \
    X(chebyshev_step_from_zero, .once = false) \
    X(lanczos_start, .once = false)            \
    X(lanczos_start_of_one, .once = false)     \
    X(lanczos_step, .once = true)              \
    X(lanczos_first_step, .once = true)

#endif
