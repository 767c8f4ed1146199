/* The cases of the kernels of vksolve/vector_algebra.h, through their verbs. */
#ifndef VKS_TESTS_VECTOR_ALGEBRA_CASES_H
#define VKS_TESTS_VECTOR_ALGEBRA_CASES_H

#include "tests/support/job.h"

static const double axpby_factors[] = {-0.7123456789, 1.4142135623};

static inline void record_axpby(struct job *j)
{
    const struct memory *alpha = put(j, axpby_factors, 1, "alpha"),
                        *beta = put(j, axpby_factors + 1, 1, "beta");
    const struct memory *x = compared(j, put(j, j->x, j->n, "x"), j->p, j->n);
    const struct memory *y = compared(j, put(j, j->y, j->n, "y"), j->p, j->n);
    axpby(&j->r, number_at(alpha), job_vec(j, x), number_at(beta), job_vec(j, y));
}

static inline void expect_axpby(const struct job *j, double *want)
{
    double alpha = rounded(j->p, axpby_factors[0]), beta = rounded(j->p, axpby_factors[1]);
    memcpy(want, j->x, j->n * sizeof *want);
    for (uint32_t i = 0; i < j->n; i++)
        want[j->n + i] = rounded(j->p, rounded(j->p, alpha * j->x[i]) + rounded(j->p, beta * j->y[i]));
}

/* A third vector. */
static inline double *other_vector(const struct job *j)
{
    double *v = room(j->n, 8);
    for (uint32_t i = 0; i < j->n; i++)
        v[i] = j->x[j->n - 1 - i];
    return v;
}

static inline struct vec put_other(struct job *j)
{
    double *v = other_vector(j);
    const struct memory *m = put(j, v, j->n, "another vector");
    free(v);
    return job_vec(j, m);
}

static inline void record_axpy_aypx(struct job *j)
{
    const struct memory *alpha = put(j, axpby_factors, 1, "alpha"),
                        *beta = put(j, axpby_factors + 1, 1, "beta");
    const struct memory *x = compared(j, put(j, j->x, j->n, "x"), j->p, j->n);
    const struct memory *y = compared(j, put(j, j->y, j->n, "y"), j->p, j->n);
    axpy_aypx(&j->r, number_at(alpha), job_vec(j, x), job_vec(j, y), number_at(beta), put_other(j));
}

static inline void expect_axpy_aypx(const struct job *j, double *want)
{
    double alpha = rounded(j->p, axpby_factors[0]), beta = rounded(j->p, axpby_factors[1]);
    double *z = other_vector(j);
    for (uint32_t i = 0; i < j->n; i++) {
        want[i] = rounded(j->p, z[i] + rounded(j->p, beta * j->x[i]));
        want[j->n + i] = rounded(j->p, j->y[i] + rounded(j->p, alpha * j->x[i]));
    }
    free(z);
}

static inline void record_axpy_multiply(struct job *j)
{
    const struct memory *alpha = put(j, axpby_factors, 1, "alpha"), *x = put(j, j->x, j->n, "x");
    const struct memory *y = compared(j, put(j, j->y, j->n, "y"), j->p, j->n);
    const struct memory *z = compared(j, new_reals(j, j->n, "z"), j->p, j->n);
    const struct memory *sums = compared(j, new_reals(j, 2, "the sums"), j->p, 2);
    axpy_multiply(&j->r, new_reduction(j, 2), number_at(alpha), job_vec(j, x), job_vec(j, y), put_other(j),
                  job_vec(j, z), reals_at(sums));
}

static inline void expect_axpy_multiply(const struct job *j, double *want)
{
    double alpha = rounded(j->p, axpby_factors[0]), *d = other_vector(j), *y = want, *z = want + j->n;
    for (uint32_t i = 0; i < j->n; i++) {
        y[i] = rounded(j->p, j->y[i] + rounded(j->p, alpha * j->x[i]));
        z[i] = rounded(j->p, d[i] * y[i]);
    }
    z[j->n] = canonical_dot(j->p, z, y, j->n);
    z[j->n + 1] = canonical_dot(j->p, z, z, j->n);
    free(d);
}

static inline void record_divide_each(struct job *j)
{
    const struct memory *x = put(j, j->x, j->n, "x"), *y = put(j, j->y, j->n, "y"),
                        *z = compared(j, new_reals(j, j->n, "z"), j->p, j->n);
    divide_each(&j->r, job_vec(j, x), job_vec(j, y), job_vec(j, z));
}

static inline void expect_divide_each(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = rounded(j->p, j->x[i] / j->y[i]);
}

/* Distinct places, some of them beyond the end. */
static inline uint32_t scattered_place(const struct job *j, uint32_t i)
{
    return i % 7 == 5 ? j->n + i : j->n - 1 - i;
}

static inline const struct memory *put_scattered(struct job *j)
{
    uint32_t *places = room(j->n, 4);
    for (uint32_t i = 0; i < j->n; i++)
        places[i] = scattered_place(j, i);
    const struct memory *m = put_words(j, places, j->n, "places");
    free(places);
    return m;
}

static inline void record_gather_elements(struct job *j)
{
    const struct memory *x = put(j, j->x, j->n, "x"), *places = put_scattered(j),
                        *y = compared(j, new_reals(j, j->n, "y"), j->p, j->n);
    gather_elements(&j->r, job_vec(j, x), words_at(places), job_vec(j, y));
}

static inline void expect_gather_elements(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = scattered_place(j, i) < j->n ? j->x[scattered_place(j, i)] : NAN;
}

static inline void record_scatter_elements(struct job *j)
{
    const struct memory *y = put(j, j->y, j->n, "y"), *places = put_scattered(j),
                        *x = compared(j, put(j, j->x, j->n, "x"), j->p, j->n);
    scatter_elements(&j->r, job_vec(j, y), words_at(places), job_vec(j, x));
}

static inline void expect_scatter_elements(const struct job *j, double *want)
{
    memcpy(want, j->x, j->n * sizeof *want);
    for (uint32_t i = 0; i < j->n; i++)
        if (scattered_place(j, i) < j->n)
            want[scattered_place(j, i)] = j->y[i];
}

#define VECTOR_ALGEBRA_CASES(X)       \
    X(axpby, .once = true)            \
    X(axpy_aypx, .once = true)        \
    X(axpy_multiply, .once = true)    \
    X(divide_each, .once = false)     \
    X(gather_elements, .once = false) \
    X(scatter_elements, .once = false)

#endif
