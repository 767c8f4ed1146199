/* vksolve/methods.h -- methods, preconditioners and scalings: their lists and names, and attempts of a solve.
 *
 * A solve names them in its options (vksolve/solver.h). Texts are constants of the library.
 *
 * Threads: all of these may be called at any time. */
#ifndef VKSOLVE_METHODS_H
#define VKSOLVE_METHODS_H

#include "vksolve/status.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* X(NAME, module, name, text) */
#define VKS_METHODS(X)                                                                           \
    X(CG, cg, "cg", "conjugate gradients, A symmetric positive definite")                        \
    X(JACOBI, jacobi, "jacobi", "the Jacobi iteration, A diagonally dominant, or nearly so")     \
    X(GAUSS_JORDAN, gauss_jordan, "gauss-jordan", "Gauss-Jordan elimination, A small and dense") \
    X(RICHARDSON, richardson, "richardson", "x += w M^-1 (b - A x), M close to A")               \
    X(IDR, idr, "idr", "induced dimension reduction, IDR(4), A of any kind")                     \
    X(DIRECT, direct, "direct", "sparse LU factors by UMFPACK, on the host")                     \
    X(LSMR, lsmr, "lsmr", "least squares, A of any shape and rank")                              \
    X(MINRES, minres, "minres", "minimal residuals, A symmetric, also indefinite or singular")   \
    X(BICGSTAB, bicgstab, "bicgstab", "BiCGStab(4), A of any kind, also where idr stagnates")    \
    X(GMRES, gmres, "gmres", "GMRES(m), restarted, A of any kind; it needs more memory")

/* X(NAME, module, name, text) */
#define VKS_PRECONDS(X)                                                                           \
    X(NONE, none, "none", "no preconditioner")                                                    \
    X(JACOBI, jacobi, "jacobi", "the diagonal of A, which must be positive")                      \
    X(BLOCK_JACOBI, block_jacobi, "block-jacobi", "blocks on the diagonal of A, of 1 to 32 rows") \
    X(DENSE, dense, "dense", "the inverse of A by Gauss-Jordan elimination, A small")             \
    X(INNER, inner, "inner", "some steps of a method")                                            \
    X(CHEBYSHEV, chebyshev, "chebyshev", "a Chebyshev polynomial in A, A symmetric")              \
    X(AMG, amg, "amg", "algebraic multigrid: diffusion, or convection by upwind differences")     \
    X(ILUT, ilut, "ilut", "incomplete factors with a threshold, in blocks of up to 1,024 rows")   \
    X(ROW_SUM, row_sum, "row-sum", "the sums of magnitudes in the rows of A")                     \
    X(SADDLE, saddle, "saddle", "blocks for saddle points: rows with a diagonal, rows without")   \
    X(FSAI, fsai, "fsai", "an approximate inverse in sparse factors, with an adaptive pattern")

/* X(NAME, name, text). The scaled system of a solve: A with rows and columns times powers of two. */
#define VKS_SCALINGS(X)                                                                       \
    X(NONE, "none", "A as it is")                                                             \
    X(RUIZ, "ruiz", "rows and columns scaled until the largest magnitude of each is about 1") \
    X(MATCH, "match", "rows permuted so that the product of the diagonal is largest, then scaled")

/* X(NAME, name, text). The norms of b - A x that decide whether a solve has converged:
 * vks_solve_options.norm. */
#define VKS_NORMS(X)                                                                        \
    X(BOTH, "both", "the plain one, and the scaled one where the rows of A differ in size") \
    X(PLAIN, "plain", "||b - A x||")                                                        \
    X(SCALED, "scaled", "||b - A x|| with the rows divided by their largest magnitudes in A")

#define VKS_METHOD_ENUM_(NAME, module, name, text) VKS_METHOD_##NAME,
typedef enum vks_method { VKS_METHOD_AUTO, VKS_METHODS(VKS_METHOD_ENUM_) VKS_METHOD_COUNT_ } vks_method;
#undef VKS_METHOD_ENUM_

#define VKS_PRECOND_ENUM_(NAME, module, name, text) VKS_PRECOND_##NAME,
typedef enum vks_precond_kind {
    VKS_PRECOND_AUTO,
    VKS_PRECONDS(VKS_PRECOND_ENUM_) VKS_PRECOND_COUNT_
} vks_precond_kind;
#undef VKS_PRECOND_ENUM_

#define VKS_SCALING_ENUM_(NAME, name, text) VKS_SCALING_##NAME,
typedef enum vks_scaling { VKS_SCALING_AUTO, VKS_SCALINGS(VKS_SCALING_ENUM_) VKS_SCALING_COUNT_ } vks_scaling;
#undef VKS_SCALING_ENUM_

#define VKS_NORM_ENUM_(NAME, name, text) VKS_NORM_##NAME,
typedef enum vks_norm { VKS_NORMS(VKS_NORM_ENUM_) VKS_NORM_COUNT_ } vks_norm;
#undef VKS_NORM_ENUM_

/* If the largest row magnitude of A is at least this multiple of the least, VKS_NORM_BOTH uses two norms. */
#define VKS_ROWS_DIFFER 1024u

/* A preconditioner, and its options: vksolve/precond.h. */
typedef struct vks_precond vks_precond;
typedef struct vks_precond_options vks_precond_options;

/* "cg", "jacobi"; "auto" for AUTO; "?" outside the list. */
const char *vks_method_name(vks_method method) VKS_API;
const char *vks_method_text(vks_method method) VKS_API;
/* 1: the method takes a preconditioner: AUTO, CG, RICHARDSON, IDR, MINRES, BICGSTAB, GMRES. 0: it takes none,
 * or is outside the list. */
int vks_method_takes_precond(vks_method method) VKS_API;
/* 1: the method can iterate in f32 for an x in f64 (options.iterate_in_f32): AUTO, CG, IDR, MINRES, BICGSTAB,
 * GMRES. 0: it cannot, or is outside the list. */
int vks_method_refines(vks_method method) VKS_API;
const char *vks_precond_name(vks_precond_kind precond) VKS_API;
const char *vks_precond_text(vks_precond_kind precond) VKS_API;
/* "none", "ruiz", "match"; "auto" for AUTO; "?" outside the list. */
const char *vks_scaling_name(vks_scaling scaling) VKS_API;
const char *vks_scaling_text(vks_scaling scaling) VKS_API;
/* "both", "plain", "scaled"; "?" outside the list. */
const char *vks_norm_name(vks_norm norm) VKS_API;
const char *vks_norm_text(vks_norm norm) VKS_API;

/* The largest number of attempts in a solve. */
#define VKS_LARGEST_ATTEMPTS 32u

/* Iterations by one method with one preconditioner, in a solve that chooses them (VKS_METHOD_AUTO,
 * VKS_PRECOND_AUTO). This struct never grows. */
typedef struct vks_attempt {
    vks_method method;
    vks_precond_kind precond;
    int in_f32;      /* of the preconditioner, as in vks_precond_options */
    uint32_t budget; /* its iteration limit; 0: that of the solve. An attempt that converges well continues
                        beyond it */
    uint32_t iterations; /* iterations that it took */
    vks_reason
        reason; /* why it ended: ITERATION_LIMIT also at its budget; NOT_RUN: no memory for its set-up */
    double true_residual; /* ||b - A x|| / ||b|| when it ended; NaN: it did not begin */
    double products; /* products with A in its iterations. Applying a preconditioner by factors counts as the
                        entries of the factors over those of A; applying another one counts as 0 */
    vks_scaling scaling; /* as used */
    uint32_t restart;    /* of GMRES; else 0 */
    const vks_precond_options
        *precond_options; /* options of the attempt, owned by the library; NULL: the defaults */
} vks_attempt;

#ifdef __cplusplus
}
#endif

#endif
