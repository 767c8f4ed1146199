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

/* Different places, some of them beyond the end. */
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
    X(divide_each, .once = false)     \
    X(gather_elements, .once = false) \
    X(scatter_elements, .once = false)

#endif
