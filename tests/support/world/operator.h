/* Solves with operators, for world.h, which includes this when it knows its world. */
#ifndef VKS_TESTS_WORLD_OPERATOR_H
#define VKS_TESTS_WORLD_OPERATOR_H

#include "vksolve/operator.h"

static inline void double_f64(const vks_operator_view *A, uint32_t first, uint32_t count, const double *x,
                              double *y)
{
    (void)A;
    for (uint32_t i = first; i < first + count; i++)
        y[i] = 2 * x[i];
}

static inline void double_f32(const vks_operator_view *A, uint32_t first, uint32_t count, const float *x,
                              float *y)
{
    (void)A;
    for (uint32_t i = first; i < first + count; i++)
        y[i] = 2 * x[i];
}

/* Compiles if that is possible here. Separate from the solve, which would otherwise repeat all of its
 * failures. */
static inline vks_status compile_operator(struct world *w)
{
    vks_operator d = {.glsl = "real row(uint i) { return real(2) * x.at[i]; }"};
    OWNED(void) *code = NULL;
    size_t bytes;
    vks_status s = vks_operator_compile(w->c, &d, &code, &bytes);
    cr_expect_eq(s != VKS_OK, code == NULL);
    return s == VKS_UNSUPPORTED ? VKS_OK : s;
}

static inline vks_status solve_with_operator(struct world *w)
{
    vks_operator d = {.glsl = "real row(uint i) { return real(2) * x.at[i]; }",
                      .rows_f64 = double_f64,
                      .rows_f32 = double_f32,
                      .diagonal = w->b};
    vks_solve_options o = {.zero_guess = 1, .precond = VKS_PRECOND_NONE, .iterate_in_f32 = 1};
    OWNED(vks_matrix) *A = NULL;
    vks_status s = vks_operator_create(w->c, N, &d, &A);
    if (!s)
        s = vks_solve(A, w->b, w->x, &o, NULL);
    if (!s)
        s = vks_solve(A, w->b, w->x, &(vks_solve_options){.iterate_in_f32 = 1}, NULL);
    return s;
}

/* A = n I minus a matrix of ones. */
static inline void less_mean_f64(const vks_operator_view *A, uint32_t first, uint32_t count, const double *x,
                                 double *y)
{
    double sum = 0;
    for (uint32_t i = 0; i < A->n; i++)
        sum += x[i];
    for (uint32_t i = first; i < first + count; i++)
        y[i] = A->n * x[i] - sum;
}

static inline vks_status solve_singular_with_operator(struct world *w)
{
    vks_operator d = {.rows_f64 = less_mean_f64};
    vks_solve_options o = {.zero_guess = 1, .singular = 1};
    OWNED(vks_matrix) *A = NULL;
    vks_status s = vks_operator_create(w->c, N, &d, &A);
    if (!s)
        s = vks_solve(A, w->b, w->x, &o, NULL);
    return s;
}

/* The true residual is then computed on the host, with copies of arrays. */
static inline vks_status solve_with_operator_without_f64(struct world *w)
{
    vks_operator d = {.precision = VKS_F32,
                      .rows_f64 = double_f64,
                      .rows_f32 = double_f32,
                      .array = {w->words, NULL, w->more_words}};
    vks_solve_options o = {.zero_guess = 1};
    vks_solve_report r = {.reason = VKS_REASON_CONVERGED};
    vks_matrix *A = NULL;
    w->c->device->info.f64 = false;
    vks_status s = vks_operator_create(w->c, N, &d, &A);
    if (!s)
        s = vks_solve(A, w->narrow_b, w->narrow_x, &o, &r);
    vks_matrix_destroy(A);
    w->c->device->info.f64 = true;
    if (!s)
        cr_expect_eq(r.reason, VKS_REASON_CONVERGED);
    return s;
}

#endif
