/* vksolve/kept_solver.h -- a solver that is set up once for many solves. vksolve/solver.h includes it.
 *
 * Threads: see vksolve/context.h. */
#ifndef VKSOLVE_KEPT_SOLVER_H
#define VKSOLVE_KEPT_SOLVER_H

#include "vksolve/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A solver: a matrix, a method, a preconditioner, the workspace and the recordings, set up once for many
 * solves, such as the steps of a simulation. A solve then allocates nothing, on the host or on the device,
 * and starts from the given x. There are three exceptions: AUTO may set up another method or preconditioner
 * during the solve; DIRECT, also as an attempt of AUTO, and GAUSS_JORDAN work in memory of their own; and if
 * a solve fails or multigrid is slow, the reason is determined once for each set of values of A.
 *
 *     vks_solver_create(A, &options, &solver);
 *     for (step ...) {
 *         // new values for A, if it has any: vks_matrix_set_values(A, ...)
 *         vks_solver_solve(solver, b, x, &report);
 *     }
 *     vks_solver_destroy(solver);
 *
 * VKS_METHOD_AUTO, and CG with VKS_PRECOND_AUTO, learn. The next solve begins with the attempt that converged
 * last, with its set-up updated to new values. If it fails, or takes more than 64 products plus twice those
 * of the solve in which it was learned, all attempts follow. The choice between the diagonal and the
 * preconditioner that CG chooses depends on the time saved, by counts of iterations and a model
 * (docs/methods/auto.md). The learned choice is the same on all GPUs, and with any_device and no_direct on
 * every device.
 *
 * DIRECT keeps its factors until A has new values, and its analysis of the pattern for all values.
 * GAUSS_JORDAN keeps nothing: each solve eliminates again (vksolve/gauss_jordan.h has inverses).
 *
 * The bits are those of vks_solve from the same x, except with VKS_AMG_KEEP, with VKS_METHOD_AUTO or
 * VKS_PRECOND_AUTO, and when FSAI has kept its pattern for new values. Each solve may have other vectors:
 * they are copied into the solver's own b and x, and x is copied back. */
typedef struct vks_solver vks_solver;

/* Makes a solver for A x = b, as in vks_solve. The solver keeps A alive, and keeps its CSR if A is lean.
 * options may be NULL. The data behind its pointers order, null_space, user, history and cycles must exist as
 * long as the solver; each solve overwrites history and cycles. If A is unsuitable for the preconditioner,
 * solves end with that reason. Errors as vks_solve: VKS_INVALID_ARGUMENT, VKS_DEVICE_MEMORY,
 * VKS_OUT_OF_MEMORY, VKS_DEVICE_LOST, VKS_TIMEOUT. After a failure *solver is NULL. */
static inline vks_status vks_solver_create(const vks_matrix *A, const vks_solve_options *options,
                                           vks_solver **solver);
VKS_CALL(vks_solver_create, (A, options, solver), const vks_matrix *A, const vks_solve_options *options,
         vks_solver **solver)

/* Releases the solver, and ends a solve in progress. NULL is allowed. */
void vks_solver_destroy(vks_solver *solver) VKS_API;

/* Updates the solver to new values of A (vks_matrix_set_values and the like). The preconditioner is
 * recomputed; the workspace stays, and so do the recordings, unless arrays of the format move (coded entries,
 * see vks_coding). Every solve does this when needed, after checking whether x already meets the tolerance;
 * call it to choose the time. Errors as vks_solver_create; the call may be repeated. VKS_INVALID_ARGUMENT: a
 * solve is in progress. */
vks_status vks_solver_update(vks_solver *solver) VKS_API;

/* Sets rtol, atol and max_iterations of later solves, as in vks_solve_options; 0 means the default.
 * VKS_INVALID_ARGUMENT: out of range, or a solve is in progress. */
vks_status vks_solver_set_limits(vks_solver *solver, double rtol, double atol,
                                 uint32_t max_iterations) VKS_API;

/* Solves from x, as vks_solve does. report->seconds_setup is the time of vks_solver_create in the first
 * report, and of updates since the last solve in later ones. */
static inline vks_status vks_solver_solve(vks_solver *solver, const vks_vector *b, vks_vector *x,
                                          vks_solve_report *report);
VKS_CALL(vks_solver_solve, (solver, b, x, report), vks_solver *solver, const vks_vector *b, vks_vector *x,
         vks_solve_report *report)

/* Solves `count` systems, one after the other; reports may be NULL. Stops at the first failure. */
static inline vks_status vks_solver_solve_many(vks_solver *solver, uint32_t count, const vks_vector *const *b,
                                               vks_vector *const *x, vks_solve_report *reports);
VKS_CALL(vks_solver_solve_many, (solver, count, b, x, reports), vks_solver *solver, uint32_t count,
         const vks_vector *const *b, vks_vector *const *x, vks_solve_report *reports)

/* Begins a solve without waiting for the device; poll and wait continue it. A GPU works on two batches of up
 * to 64 iterations (JACOBI 512) and then idles until the next poll, so a frame of some milliseconds should
 * poll at least once. On the host the calls do the work, each of them a batch or two (of at most some 50
 * milliseconds, or batch_seconds). Until the solve has ended, b and x must stay, and x, A and the matrix of a
 * shared preconditioner must not change; the context may be used for other work. VKS_INVALID_ARGUMENT: as
 * vks_solve, or a solve is in progress. */
vks_status vks_solver_submit(vks_solver *solver, const vks_vector *b, vks_vector *x) VKS_API;

/* Continues the solve as far as possible without waiting. It waits only for brief or rare work: new values of
 * A without a vks_solver_update, the set-up of AUTO's next attempt (for many rows, factors on the host may
 * take seconds, and elimination of 4,096 rows as well), a cycle's history, a residual that the host computes
 * (without 64-bit floats), a norm whose square overflows. *ended says whether the solve has ended. The
 * report, which may be NULL, is then that of vks_solve; before that, its reason is NOT_RUN, and iterations
 * and residual show the progress. A failure, as of vks_solve, ends the solve; x is then undefined.
 * VKS_INVALID_ARGUMENT: no solve has been submitted, or it has failed, or poll is called from the solve's own
 * progress function. */
static inline vks_status vks_solver_poll(vks_solver *solver, int *ended, vks_solve_report *report);
VKS_CALL(vks_solver_poll, (solver, ended, report), vks_solver *solver, int *ended, vks_solve_report *report)

/* Continues the solve for up to `seconds`, which may be INFINITY. VKS_TIMEOUT: it has not ended by then, and
 * continues with the next poll or wait, unless the device has not answered for 300 seconds.
 * VKS_INVALID_ARGUMENT: as poll; or `seconds` is negative or NaN, and the solve is unchanged. */
static inline vks_status vks_solver_wait(vks_solver *solver, double seconds, vks_solve_report *report);
VKS_CALL(vks_solver_wait, (solver, seconds, report), vks_solver *solver, double seconds,
         vks_solve_report *report)

/* Asks a solve in progress to end as CANCELLED; it ends in a later poll or wait. */
void vks_solver_cancel(vks_solver *solver) VKS_API;

#ifdef __cplusplus
}
#endif
#endif
