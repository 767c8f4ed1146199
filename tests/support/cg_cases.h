/* The cases of the kernels of conjugate gradients that run beside its iterations; the others are tested step
 * by step (cg_case.h). */
#ifndef VKS_TESTS_CG_CASES_H
#define VKS_TESTS_CG_CASES_H

#include "shaders/solver/cg.h"
#include "tests/support/jacobi_cases.h"

/* d is x, backwards. */
static inline void record_keep_of(struct job *j, bool jacobi)
{
    const struct memory *p = put(j, j->x, j->n, "p"), *r = put(j, j->y, j->n, "r");
    double *back = room(j->n, 8);
    for (uint32_t i = 0; i < j->n; i++)
        back[i] = j->x[j->n - 1 - i];
    const struct memory *d = put(j, back, j->n, "d");
    free(back);
    const struct memory *q = compared(j, new_reals(j, j->n, "q"), j->p, j->n);
    run(&j->r, cg_keep, groups_each(j->n), .p = reals_at(p), .r = reals_at(r), .d = reals_at(d),
        .q = reals_at(q), .n = j->n, .form = jacobi ? FORM_EACH : FORM_NONE);
}

static inline void record_cg_keep(struct job *j)
{
    record_keep_of(j, false);
}

static inline void expect_cg_keep(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = rounded(j->p, j->x[i] - j->y[i]);
}

static inline void record_cg_keep_with_jacobi(struct job *j)
{
    record_keep_of(j, true);
}

static inline void expect_cg_keep_with_jacobi(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = rounded(j->p, j->x[i] - rounded(j->p, j->x[j->n - 1 - i] * j->y[i]));
}

/* Sums of r . z and r . r from outside, and what becomes of them: rho, and r . r. */
static inline void record_cg_begin(struct job *j)
{
    const double from_outside[] = {0, j->n + 0.5, j->n + 0.25}, none[4] = {0};
    static const uint32_t pending[] = {PENDING_STEP, 0};
    const struct memory *words = put_control(j), *w = put_mixed(j, pending, 2, none, 4, "numbers");
    const struct memory *s = put(j, from_outside, 3, "sums");
    compared_behind(j, w, 2, 1);
    compared_behind(j, words, 4, 1);
    run(&j->r, cg_begin, 1, .c = (control)(uintptr_t)words->address, .w = (cg_numbers)(uintptr_t)w->address,
        .s = (sums)(uintptr_t)s->address, .stride = 1);
}

static inline void expect_cg_begin(const struct job *j, double *want)
{
    want[0] = j->n + 0.5;
    want[1] = j->n + 0.25;
}

#define CG_CASES(X)            \
    X(cg_begin, .once = false) \
    X(cg_keep, .once = false)  \
    X(cg_keep_with_jacobi, .once = false)

#endif
