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

/* index is n - 1 ... 0. */
static inline void record_boundary_of(struct job *j, uint32_t form)
{
    const struct memory *r = put(j, j->x, j->n, "r"), *d = put(j, j->y, j->n, "d");
    uint32_t *back = room(j->n, 4);
    for (uint32_t i = 0; i < j->n; i++)
        back[i] = j->n - 1 - i;
    const struct memory *index = put_words(j, back, j->n, "index");
    free(back);
    const struct memory *out = compared(j, new_reals(j, j->n, "out"), j->p, j->n);
    run(&j->r, cg_boundary, groups_each(j->n), .r = reals_at(r), .d = reals_at(d), .index = words_of(index),
        .to = reals_at(out), .n = j->n, .form = form);
}

static inline void record_cg_boundary(struct job *j)
{
    record_boundary_of(j, FORM_GIVEN);
}

static inline void expect_cg_boundary(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = j->x[j->n - 1 - i];
}

static inline void record_cg_boundary_of_each(struct job *j)
{
    record_boundary_of(j, FORM_EACH);
}

static inline void expect_cg_boundary_of_each(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = rounded(j->p, j->y[j->n - 1 - i] * j->x[j->n - 1 - i]);
}

static inline void record_cg_boundary_of_one(struct job *j)
{
    record_boundary_of(j, FORM_ONE);
}

static inline void expect_cg_boundary_of_one(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = rounded(j->p, j->y[0] * j->x[j->n - 1 - i]);
}

enum { GHOSTS_RHO = 5, GHOSTS_RHO_OLD = 3 };

static inline void record_ghosts_of(struct job *j, uint32_t pending)
{
    const double numbers[] = {GHOSTS_RHO, 0, 0, GHOSTS_RHO_OLD};
    const uint32_t words[] = {pending, 0};
    const struct memory *z = put(j, j->y, j->n, "z"), *w = put_mixed(j, words, 2, numbers, 4, "numbers");
    const struct memory *p = compared(j, put(j, j->x, j->n, "p"), j->p, j->n);
    run(&j->r, cg_ghosts, groups_each(j->n), .w = (cg_numbers)(uintptr_t)w->address, .z = reals_at(z),
        .p = reals_at(p), .n = j->n);
}

static inline void record_cg_ghosts(struct job *j)
{
    record_ghosts_of(j, PENDING_STEP);
}

static inline void expect_cg_ghosts(const struct job *j, double *want)
{
    double beta = rounded(j->p, (double)GHOSTS_RHO / GHOSTS_RHO_OLD);
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = rounded(j->p, j->y[i] + rounded(j->p, beta * j->x[i]));
}

static inline void record_cg_ghosts_at_the_end(struct job *j)
{
    record_ghosts_of(j, PENDING_NOTHING);
}

static inline void expect_cg_ghosts_at_the_end(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = j->x[i];
}

#define CG_CASES(X)                        \
    X(cg_boundary, .once = false)          \
    X(cg_boundary_of_each, .once = false)  \
    X(cg_boundary_of_one, .once = false)   \
    X(cg_ghosts, .once = true)             \
    X(cg_ghosts_at_the_end, .once = false) \
    X(cg_begin, .once = false)             \
    X(cg_keep, .once = false)              \
    X(cg_keep_with_jacobi, .once = false)

#endif
