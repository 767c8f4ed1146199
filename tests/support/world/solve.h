/* The solves, for world.h, which includes this when it knows its world. */
#ifndef VKS_TESTS_WORLD_SOLVE_H
#define VKS_TESTS_WORLD_SOLVE_H

#include "tests/support/world/levels.h"
#include "tests/support/world/operator.h"
#include "tests/support/world/partners.h"
#include "vksolve/precond.h"

static inline vks_status solve_with(struct world *w, vks_precond_kind precond)
{
    vks_solve_options o = {.zero_guess = 1, .history = w->history, .history_capacity = N, .precond = precond};
    vks_solve_report r;
    vks_status s = vks_cg_solve(w->A, w->b, w->x, &o, &r);
    if (!s)
        cr_expect_eq(r.reason, VKS_REASON_CONVERGED);
    return s;
}

CALL_OF(solve_plainly, solve_with(w, VKS_PRECOND_NONE))
CALL_OF(solve_with_jacobi, solve_with(w, VKS_PRECOND_JACOBI))
CALL_OF(solve_with_blocks, solve_with(w, VKS_PRECOND_BLOCK_JACOBI))

/* Makes a solver, solves, sets new values, and solves again. */
static inline vks_status solve_with_new_values(struct world *w, const vks_solve_options *o)
{
    OWNED(vks_solver) *v = NULL;
    vks_solve_report r = {.reason = VKS_REASON_CONVERGED};
    vks_status s = vks_solver_create(w->A, o, &v);
    cr_expect_eq(s != VKS_OK, v == NULL);
    if (!s)
        s = vks_solver_solve(v, w->b, w->x, &r);
    if (!s)
        s = vks_matrix_set_values(w->A, VKS_F64, w->host.val);
    if (!s)
        s = vks_solver_solve(v, w->b, w->x, &r);
    if (!s)
        cr_expect_eq(r.reason, VKS_REASON_CONVERGED);
    return s;
}

static inline vks_status solve_composed(struct world *w, const vks_precond_options *precond)
{
    return solve_with_new_values(w, &(vks_solve_options){.zero_guess = 1, .precond_options = precond});
}

CALL_OF(solve_with_dense, solve_composed(w, &(vks_precond_options){.kind = VKS_PRECOND_DENSE}))
CALL_OF(solve_with_inner, solve_composed(w, &(vks_precond_options){.kind = VKS_PRECOND_INNER}))
CALL_OF(solve_with_blocks_in_f32,
        solve_composed(w, &(vks_precond_options){.kind = VKS_PRECOND_BLOCK_JACOBI, .in_f32 = 1}))

static inline vks_status solve_with_ilut(struct world *w)
{
    return solve_with_new_values(w, &(vks_solve_options){.method = VKS_METHOD_IDR,
                                                         .zero_guess = 1,
                                                         .precond_options = &(vks_precond_options){
                                                             .kind = VKS_PRECOND_ILUT, .rows = 7}});
}

/* By CG one-sided, and shared two-sided. */
static inline vks_status solve_with_fsai(struct world *w)
{
    vks_precond_options o = {.kind = VKS_PRECOND_FSAI, .steps = 2};
    vks_status s = solve_composed(w, &o);
    return s ? s : solve_with_levels(w, LEVELS_SYMMETRIC, &o);
}

CALL_OF(solve_with_amg,
        solve_with_levels(w, LEVELS_SYMMETRIC, &(vks_precond_options){.kind = VKS_PRECOND_AMG}))
CALL_OF(solve_with_amg_in_f32,
        solve_with_levels(w, LEVELS_SYMMETRIC, &(vks_precond_options){.kind = VKS_PRECOND_AMG, .in_f32 = 1}))

static inline vks_status solve_with_amg_that_keeps(struct world *w)
{
    return solve_with_levels(
        w, LEVELS_SYMMETRIC,
        &(vks_precond_options){.kind = VKS_PRECOND_AMG, .in_f32 = 1, .amg = {.refresh = VKS_AMG_KEEP}});
}

/* CG refuses it after it is made. */
static inline vks_status refuse_inner_cg(struct world *w)
{
    vks_precond_options o = {.kind = VKS_PRECOND_INNER, .method = VKS_METHOD_CG, .in_f32 = 1};
    vks_status s = vks_solve(w->A, w->b, w->x, &(vks_solve_options){.precond_options = &o}, NULL);
    return s == VKS_INVALID_ARGUMENT ? VKS_OK : s;
}

CALL_OF(solve_with_chebyshev, solve_with(w, VKS_PRECOND_CHEBYSHEV))

/* Iterates with a copy of A in f32. */
static inline vks_status solve_in_f32(struct world *w)
{
    vks_solve_options o = {
        .zero_guess = 1, .history = w->history, .history_capacity = N, .iterate_in_f32 = 1};
    vks_solve_report r;
    vks_status s = vks_cg_solve(w->A, w->b, w->x, &o, &r);
    if (!s)
        cr_expect(r.reason == VKS_REASON_CONVERGED && r.refinements > 1);
    return s;
}

/* The true residual is then computed on the host, from copies. */
static inline vks_status solve_without_f64(struct world *w)
{
    vks_solve_options o = {.zero_guess = 1, .rtol = 1e-4};
    vks_solve_report r;
    w->c->device->info.f64 = false;
    vks_status s = vks_cg_solve(w->narrow_A, w->narrow_b, w->narrow_x, &o, &r);
    w->c->device->info.f64 = true;
    if (!s)
        cr_expect_eq(r.reason, VKS_REASON_CONVERGED);
    return s;
}

/* With objects that are stored as pairs of floats, and new values. */
static inline vks_status solve_pairs_by(struct world *w, vks_method method)
{
    vks_solve_options o = {.method = method, .zero_guess = 1, .rtol = 1e-9};
    vks_solve_report r;
    vks_matrix *A = NULL;
    vks_vector *b = NULL, *x = NULL;
    w->c->device->info.f64 = false;
    vks_status s = vks_matrix_from_csr(w->c, N, N, w->host.row, w->host.col, w->host.val, NULL, &A);
    if (!s)
        s = vks_matrix_set_values(A, VKS_F64, w->host.val);
    if (!s)
        s = vks_vector_create(w->c, N, VKS_F64, &b);
    if (!s)
        s = vks_vector_fill(b, 1);
    if (!s)
        s = vks_vector_create(w->c, N, VKS_F64, &x);
    if (!s)
        s = vks_vector_copy(b, x);
    if (!s)
        s = vks_solve(A, b, x, &o, &r);
    if (!s)
        cr_expect(r.reason == VKS_REASON_CONVERGED && r.in_pairs);
    vks_matrix_destroy(A);
    vks_vector_destroy(b);
    vks_vector_destroy(x);
    w->c->device->info.f64 = true;
    return s;
}

CALL_OF(solve_in_pairs, solve_pairs_by(w, VKS_METHOD_CG))
CALL_OF(solve_in_pairs_by_idr, solve_pairs_by(w, VKS_METHOD_IDR))

static inline vks_status solve_by_jacobi(struct world *w)
{
    vks_solve_options o = {.zero_guess = 1, .history = w->history, .history_capacity = N};
    vks_solve_report r;
    vks_status s = vks_jacobi_solve(w->A, w->b, w->x, &o, &r);
    cr_expect_eq(r.reason, s ? VKS_REASON_NOT_RUN : VKS_REASON_CONVERGED, "%s", vks_reason_name(r.reason));
    return s;
}

CALL_OF(solve_by_richardson,
        solve_with_new_values(w, &(vks_solve_options){
                                     .zero_guess = 1, .method = VKS_METHOD_RICHARDSON, .weight = 0.5}))
CALL_OF(solve_matched, solve_with_new_values(w, &(vks_solve_options){.zero_guess = 1,
                                                                     .method = VKS_METHOD_IDR,
                                                                     .scaling = VKS_SCALING_MATCH,
                                                                     .precond = VKS_PRECOND_JACOBI}))
CALL_OF(solve_matched_in_f32, solve_with_new_values(w, &(vks_solve_options){.method = VKS_METHOD_IDR,
                                                                            .scaling = VKS_SCALING_MATCH,
                                                                            .iterate_in_f32 = 1}))

/* The diagonal is examined first. */
CALL_OF(solve_scaled, solve_with_new_values(w, &(vks_solve_options){.zero_guess = 1,
                                                                    .method = VKS_METHOD_IDR,
                                                                    .precond = VKS_PRECOND_JACOBI}))
CALL_OF(solve_by_minres,
        solve_with_new_values(w, &(vks_solve_options){.zero_guess = 1, .method = VKS_METHOD_MINRES}))
CALL_OF(solve_by_bicgstab,
        solve_with_new_values(w, &(vks_solve_options){.zero_guess = 1, .method = VKS_METHOD_BICGSTAB}))
CALL_OF(solve_by_gmres,
        solve_with_new_values(w, &(vks_solve_options){
                                     .zero_guess = 1, .method = VKS_METHOD_GMRES, .restart = 7}))

static inline vks_status iterate_to_fixed_point(struct world *w)
{
    vks_solve_options o = {.zero_guess = 1, .max_iterations = 3};
    return vks_fixed_point_solve(w->A, w->b, w->x, &o, NULL);
}

/* Neumann at both ends. */
static inline vks_status solve_singular(struct world *w)
{
    static const uint32_t row[] = {0, 2, 5, 7}, col[] = {0, 1, 0, 1, 2, 1, 2};
    static const double val[] = {1, -1, -1, 2, -1, -1, 1};
    vks_solve_options o = {.singular = 1};
    OWNED(vks_matrix) *A = NULL;
    OWNED(vks_vector) *b = NULL, *x = NULL;
    vks_status s = vks_matrix_from_csr(w->c, 3, 3, row, col, val, NULL, &A);
    if (!s)
        s = vks_vector_create(w->c, 3, VKS_F64, &b);
    if (!s)
        s = vks_vector_create(w->c, 3, VKS_F64, &x);
    if (!s)
        s = vks_vector_write(b, 0, 3, VKS_F64, (double[]){1, -3, 2});
    if (!s)
        s = vks_cg_solve(A, b, x, &o, NULL);
    return s;
}

CALL_OF(solve_by_lsmr,
        solve_with_new_values(w, &(vks_solve_options){.method = VKS_METHOD_LSMR, .zero_guess = 1}))

/* 2 x 3, in f32. */
static inline vks_status solve_by_lsmr_without_f64(struct world *w)
{
    static const uint32_t row[] = {0, 2, 4}, col[] = {0, 1, 1, 2};
    static const float val[] = {1, -1, 2, 1};
    vks_matrix_options o = {.precision = VKS_F32, .of_values = VKS_F32};
    OWNED(vks_matrix) *A = NULL;
    OWNED(vks_vector) *b = NULL, *x = NULL;
    vks_status s = vks_matrix_from_csr(w->c, 2, 3, row, col, val, &o, &A);
    if (!s)
        s = vks_vector_create(w->c, 2, VKS_F32, &b);
    if (!s)
        s = vks_vector_create(w->c, 3, VKS_F32, &x);
    if (!s)
        s = vks_vector_fill(b, 1);
    bool f64 = w->c->device->info.f64;
    w->c->device->info.f64 = false;
    if (!s)
        s = vks_solve(A, b, x, &(vks_solve_options){.zero_guess = 1}, NULL);
    w->c->device->info.f64 = f64;
    return s;
}

/* A solver, two solves with it, and new values between them. */
CALL_OF(solve_repeatedly,
        solve_with_new_values(w, &(vks_solve_options){.zero_guess = 1, .precond = VKS_PRECOND_BLOCK_JACOBI}))

/* X(call, the least number of operations that it needs) */
#define SOLVE_CALLS(X)                     \
    X(solve_plainly, 30)                   \
    X(solve_with_blocks, 60)               \
    X(solve_with_chebyshev, 60)            \
    X(solve_with_coordinates, 200)         \
    X(solve_with_jacobi, 35)               \
    X(solve_with_partners, 60)             \
    X(solve_with_amg, 200)                 \
    X(solve_with_amg_in_f32, 200)          \
    X(solve_with_amg_that_keeps, 200)      \
    X(solve_with_dense, 100)               \
    X(solve_with_inner, 100)               \
    X(solve_with_ilut, 60)                 \
    X(solve_with_fsai, 250)                \
    X(solve_with_blocks_in_f32, 100)       \
    X(refuse_inner_cg, 40)                 \
    X(solve_without_f64, 35)               \
    X(solve_in_f32, 60)                    \
    X(solve_repeatedly, 100)               \
    X(solve_singular, 70)                  \
    X(solve_in_pairs, 100)                 \
    X(solve_in_pairs_by_idr, 100)          \
    X(compile_operator, 0)                 \
    X(solve_with_operator, 60)             \
    X(solve_singular_with_operator, 60)    \
    X(solve_with_operator_without_f64, 30) \
    X(solve_by_jacobi, 40)                 \
    X(solve_by_richardson, 60)             \
    X(solve_matched, 60)                   \
    X(solve_matched_in_f32, 60)            \
    X(solve_scaled, 60)                    \
    X(solve_by_lsmr, 60)                   \
    X(solve_by_lsmr_without_f64, 40)       \
    X(solve_by_minres, 60)                 \
    X(solve_by_bicgstab, 60)               \
    X(solve_by_gmres, 60)                  \
    X(solve_with_unsymmetric_levels, 200)  \
    X(solve_with_saddle, 200)              \
    X(iterate_to_fixed_point, 25)

#endif
