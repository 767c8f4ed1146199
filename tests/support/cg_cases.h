/* The cases of the kernel of conjugate gradients that is run between iterations; the others are tested step
 * by step (cg_case.h). */
#ifndef VKS_TESTS_CG_CASES_H
#define VKS_TESTS_CG_CASES_H

#include "shaders/solver/cg.h"
#include "tests/support/job.h"

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

#define CG_CASES(X)           \
    X(cg_keep, .once = false) \
    X(cg_keep_with_jacobi, .once = false)

#endif
