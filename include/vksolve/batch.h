/* vksolve/batch.h -- batches of small sparse systems: thousands of solves in a few dispatches.
 *
 * A batch has `systems` matrices of 1 to VKS_LARGEST_BATCH_SYSTEM rows each, with one pattern of entries for
 * all or a pattern for each. A solve takes b and x of all systems, one system after the other, in a vector.
 * Each system iterates on its own, with its own stopping test, and ends with its own reason; 32 lanes or a
 * workgroup keep its vectors in registers. Larger systems, and single ones, are for vks_solve
 * (vksolve/solver.h).
 *
 * A system is CONVERGED only if its true residual, recomputed from the x that is returned in pairs of floats
 * (twice the precision of the batch), meets the tolerance:
 *     ||b - A x|| <= max(rtol ||b||, atol)
 * If the residual of the recurrence has drifted from the true one, the method restarts from the true one, as
 * long as a cycle halves it. The bits of a system are the same on every device that passes
 * vks_context_selftest, whichever other systems are in the batch. The sum of a row of A x takes its entries
 * in the order of their columns; other sums are those of docs/internals/sums.md.
 *
 * Threads: as vksolve/context.h says. */
#ifndef VKSOLVE_BATCH_H
#define VKSOLVE_BATCH_H

#include "vksolve/methods.h"
#include "vksolve/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The most rows of a system; and of one that GAUSS_JORDAN solves if not all systems are tridiagonal. */
#define VKS_LARGEST_BATCH_SYSTEM 1024u
#define VKS_LARGEST_BATCH_ELIMINATION 64u

typedef struct vks_batch vks_batch;

typedef struct vks_batch_options {
    vks_precision precision;  /* of A, b, x and the iterations: VKS_F64, the default, or VKS_F32 */
    vks_method method;        /* CG: each A is symmetric positive definite. BICGSTAB: any A, by BiCGStab (not
                                 BiCGStab(4)). GAUSS_JORDAN: a direct method, see vks_batch_solve. AUTO, the
                                 default: CG. Others: VKS_UNSUPPORTED */
    vks_precond_kind precond; /* JACOBI or NONE. AUTO, the default: JACOBI, with GAUSS_JORDAN NONE. Others:
                                 VKS_UNSUPPORTED */
    double rtol; /* relative tolerance; 0: 1e-8, in f32 1e-5. Negative, or not finite: VKS_INVALID_ARGUMENT */
    double atol; /* absolute tolerance, in the units of b; default 0 */
    uint32_t max_iterations; /* of a system, with GAUSS_JORDAN corrections; 0: ten times the rows of the
                                largest, at least 1,000 */
    int zero_guess;          /* 1: start from x = 0. 0: start from x */
} vks_batch_options;

/* A matrix of its own, in CSR: offsets row[0 .. n] from 0, columns and values of row[n] entries. This struct
 * never grows. */
typedef struct vks_batch_system {
    uint32_t n;
    const uint32_t *row;
    const uint32_t *col;
    const void *values;
} vks_batch_system;

/* How the solve of a system ended. */
typedef struct vks_batch_report {
    vks_reason reason;
    uint32_t iterations;
    uint32_t restarts;    /* from the true residual */
    uint32_t row;         /* the first row that is the reason, from 0; UINT32_MAX: none */
    double residual;      /* the method's own last estimate of ||b - A x|| / ||b||; NaN: it has none */
    double true_residual; /* ||b - A x|| / ||b|| of the x returned; 0 for 0 / 0 */
} vks_batch_report;

/* A batch of `systems` matrices, 1 or more, of n rows with one pattern in CSR: offsets row[0 .. n], columns
 * col[0 .. row[n] - 1], ascending within a row. `values` has row[n] values of each system, one system after
 * the other, of the precision of_values; they are rounded to the precision of the batch. options may be NULL.
 * Destroy it with vks_batch_destroy. The arrays are only read during the call.
 *
 * The batch stores n times the entries of the longest row for each system, and the columns once; in a solve
 * it has four vectors of all systems besides, with BICGSTAB five, with GAUSS_JORDAN three and, unless all
 * systems are tridiagonal, a dense matrix of each. VKS_INVALID_ARGUMENT: the message names the row, or the
 * option. VKS_LIMIT: n is above VKS_LARGEST_BATCH_SYSTEM, or all systems have more than VKS_LARGEST_INDEX
 * rows or stored entries. VKS_UNSUPPORTED, also VKS_F64 on a device without 64-bit floats. VKS_DEVICE_MEMORY,
 * VKS_OUT_OF_MEMORY. After a failure *batch is NULL, here and below. */
static inline vks_status vks_batch_create(vks_context *context, uint32_t systems, uint32_t n,
                                          const uint32_t *row, const uint32_t *col, vks_precision of_values,
                                          const void *values, const vks_batch_options *options,
                                          vks_batch **batch);
VKS_CALL(vks_batch_create, (context, systems, n, row, col, of_values, values, options, batch),
         vks_context *context, uint32_t systems, uint32_t n, const uint32_t *row, const uint32_t *col,
         vks_precision of_values, const void *values, const vks_batch_options *options, vks_batch **batch)

/* The same with a pattern for each system. Systems of different sizes may be mixed. Messages also name the
 * system, from 0. A batch of systems with equal patterns has the bits of vks_batch_create. */
static inline vks_status vks_batch_create_of(vks_context *context, uint32_t systems,
                                             const vks_batch_system *system, vks_precision of_values,
                                             const vks_batch_options *options, vks_batch **batch);
VKS_CALL(vks_batch_create_of, (context, systems, system, of_values, options, batch), vks_context *context,
         uint32_t systems, const vks_batch_system *system, vks_precision of_values,
         const vks_batch_options *options, vks_batch **batch)

/* NULL is allowed. */
void vks_batch_destroy(vks_batch *batch) VKS_API;

uint32_t vks_batch_systems(const vks_batch *batch) VKS_API;
/* The rows of all systems: the length of b and x. */
uint32_t vks_batch_rows(const vks_batch *batch) VKS_API;
/* The entries of all systems: the number of values. */
uint32_t vks_batch_entries(const vks_batch *batch) VKS_API;

/* New values for the same patterns: those of all systems, one after the other, in the order of their CSR.
 * The second call takes them from a vector on the device. After a failure of the device the values are
 * undefined. VKS_INVALID_ARGUMENT: the vector has another length, precision or context. */
vks_status vks_batch_update(vks_batch *batch, vks_precision of_values, const void *values) VKS_API;
vks_status vks_batch_update_from(vks_batch *batch, const vks_vector *values) VKS_API;

/* Solves A x = b for all systems. x has the initial guesses, unless options.zero_guess is set, and becomes
 * the solutions: of a system that has not CONVERGED, the x with the smallest true residual that a cycle
 * found, or the guess. b and x have vks_batch_rows elements in the precision of the batch. report is NULL or
 * has room for vks_batch_systems reports. Sources: of CG as vks_cg_solve; H. A. van der Vorst, "Bi-CGSTAB"
 * (1992), with right preconditioning as in Saad, "Iterative methods for sparse linear systems", 2nd ed.,
 * algorithm 7.7.
 *
 * GAUSS_JORDAN solves A d = b - A x and adds d to x, as long as that halves the true residual; mostly once.
 * Tridiagonal systems are solved by parallel cyclic reduction (R. W. Hockney, C. R. Jesshope, "Parallel
 * computers", 1981), which exchanges no rows: they should be diagonally dominant, or nearly so. Batches with
 * any other system are solved by Gauss-Jordan elimination of dense matrices, whose pivots are the entries of
 * largest magnitude in their columns.
 *
 * Reasons: CONVERGED, ITERATION_LIMIT, STAGNATED, DIVERGED (the residual grew by 1e10),
 * NOT_POSITIVE_DEFINITE (CG: p.Ap or r.z is not positive, or with JACOBI `row` has a negative diagonal
 * entry), BREAKDOWN (BICGSTAB or cyclic reduction would divide by zero), ZERO_DIAGONAL (with JACOBI, `row`),
 * SINGULAR (`row` has only zeros, and its element of b is not zero; or elimination finds no pivot in column
 * `row`), NOT_FINITE. A guess that meets the tolerance is CONVERGED, whatever A is.
 *
 * VKS_INVALID_ARGUMENT: b or x does not fit, or they are the same vector. VKS_DEVICE_MEMORY,
 * VKS_OUT_OF_MEMORY, VKS_DEVICE_LOST, VKS_TIMEOUT: x is then undefined, and reports are NOT_RUN. */
static inline vks_status vks_batch_solve(vks_batch *batch, const vks_vector *b, vks_vector *x,
                                         vks_batch_report *report);
VKS_CALL(vks_batch_solve, (batch, b, x, report), vks_batch *batch, const vks_vector *b, vks_vector *x,
         vks_batch_report *report)

#ifdef __cplusplus
}
#endif
#endif
