/* vksolve/solver.h -- solving A x = b. vks_solve is the general call; vks_solve_csr takes host arrays; a
 * vks_solver (vksolve/kept_solver.h) solves repeatedly.
 *
 * A solve returns VKS_OK when it ran; report.reason says how it ended. It is CONVERGED only if the true
 * residual b - A x, recomputed in double precision from the x that is returned, meets the tolerance:
 *     ||b - A x|| <= max(rtol ||b||, atol)
 * or, with LSMR alone, if x is a least-squares solution to that tolerance, recomputed likewise:
 *     ||A^T r|| <= rtol ||A||_F ||r||,  r = b - A x
 * and LSMR's own estimate, for A with columns scaled to equal norms, meets it, too. If the rows of A differ
 * in size, a second norm must also meet the tolerance (vks_solve_options.norm). If only one of them can, the
 * solve ends as CONVERGED with a warning that has both. Before a solve ends as CONVERGED, the rounding errors
 * of b - A x are bounded; if they may exceed the tolerance, it is computed again in pairs of doubles. If A is
 * singular (vks_solve_options.singular), b here means b without its part in the null space, which no x can
 * produce. The part of A x in the null space counts. If the residual of the recurrence has drifted from the
 * true one, the method restarts from the true one. The solve ends as STAGNATED when a restart no longer
 * halves the true residual.
 *
 * All data stay on the device. The host submits batches of iterations ahead of the one that it waits for. The
 * bits are the same on every device that passes vks_context_selftest, unless the matrix has an atomic format,
 * the method is DIRECT, or AUTO chooses by the kind of the device: see any_device and no_direct.
 *
 * Threads: see vksolve/context.h. */
#ifndef VKSOLVE_SOLVER_H
#define VKSOLVE_SOLVER_H

#include "vksolve/matrix.h"
#include "vksolve/methods.h"
#include "vksolve/report.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vks_progress {
    uint32_t iteration; /* in a set-up, the steps so far */
    double residual;    /* the method's own estimate of ||b - A x|| / ||b||; NaN: none yet, as in a set-up */
    double target;      /* the estimate at which it stops; NaN likewise */
    double seconds;     /* since the iterations began, or since the set-up began */
} vks_progress;

/* vks_solve_options.weight: 4 / (3 (1 + g)), where g is the largest ratio of the other entries of a row to
 * its diagonal entry, by sums of magnitudes. u = 1 + g bounds the eigenvalues of D^-1 A (Gershgorin), so the
 * iteration converges for every symmetric positive definite A. Errors of eigenvalues between u / 2 and u
 * shrink to a third or less in each iteration: the weight is 2 / (l + u), Saad section 4.2.1, with l = u / 2.
 * Where A is diagonally dominant, a weight of 1 converges faster. */
#define VKS_WEIGHT_AUTO (-1.0)

#define VKS_LARGEST_NULL_SPACE 16

/* The largest vks_solve_options.restart. */
#define VKS_LARGEST_RESTART 100u

/* A start or restart of the iterations from the true residual. */
typedef struct vks_cycle {
    uint32_t iteration;   /* the number of iterations before it */
    int keeps_directions; /* 1: iterate_in_f32 keeps its directions; 0: the start, or a restart */
    double true_residual; /* ||b - A x|| / ||b|| at that time, in double precision */
} vks_cycle;

typedef struct vks_solve_options {
    vks_method method;        /* default: AUTO, see vks_solve */
    vks_precond_kind precond; /* default: AUTO, see vks_solve */
    double weight;            /* of RICHARDSON, above 0; of JACOBI, above 0 or VKS_WEIGHT_AUTO; 0: 1. Other
                                 weights, and weights of other methods: VKS_INVALID_ARGUMENT */
    uint32_t block_size; /* of BLOCK_JACOBI: rows of each block except the last, 1 to 32; 0: natural blocks,
                            see vks_cg_solve. Larger, or with another preconditioner: VKS_INVALID_ARGUMENT */
    double rtol; /* relative tolerance; 0: 1e-8, in f32 1e-5. Negative, or not finite: VKS_INVALID_ARGUMENT */
    double atol; /* absolute tolerance, in the units of b; default 0 */
    uint32_t
        max_iterations; /* 0: ten times the unknowns, the columns of A, at least 1,000 and at most 100,000 */
    int zero_guess; /* 1: start from x = 0. 0: start from x; elements of x whose columns in A are empty keep
                       their value, even NaN */
    /* 1: the method iterates in f32. x, b and b - A x stay in f64, so the result is equally accurate: see
     * vks_cg_solve. A is VKS_F64 or VKS_MIXED. VKS_INVALID_ARGUMENT: A is VKS_F32, or the method does not
     * refine (vks_method_refines). A device without 64-bit floats always iterates in f32 with such an A. */
    int iterate_in_f32;
    /* 1: A is symmetric and singular, and its null space is known: the constants, as in pure Neumann
     * problems, or the span of null_space_count vectors, at most VKS_LARGEST_NULL_SPACE. They have as many
     * elements as A has rows, are of either precision, and need not be orthogonal. Residuals and x are kept
     * orthogonal to the null space, so x is the solution of least norm. If b has a part in the null space,
     * there is no solution: that part is removed, also from norms of b, and report.null_component is its
     * size. VKS_INVALID_ARGUMENT: A times one of them is not zero (1e-5 of the entries of A, in f32 1e-3),
     * they are linearly dependent, or the method is GAUSS_JORDAN, DIRECT, LSMR or the fixed point.
     * VKS_UNSUPPORTED: a device without 64-bit floats.
     *
     * If A is not quite singular, or not symmetric, A x has a part in the null space. The residuals of the
     * iteration miss that part; true residuals in the report include it. Iterations cannot lower it: the
     * reason is NOT_SINGULAR if the rest meets the tolerance and the whole does not. Solve such a system
     * without `singular`. A part of up to a tenth of the tolerance counts as rounding, and iterations
     * continue until the whole meets the tolerance. */
    int singular;
    const vks_vector *const *null_space; /* NULL: the constants */
    uint32_t null_space_count;
    /* If the unknowns were reordered (vksolve/reorder.h): the caller's number of each row of A, from 0.
     * report.row, detail and warning use these numbers; nothing else changes. It is only read during the
     * call. NULL: rows are in the caller's order. GAUSS_JORDAN and DIRECT ignore it. */
    const uint32_t *order;

    /* Called after each batch of iterations (at most 64, JACOBI 512, some milliseconds), before a restart
     * from the true residual, and in long set-ups: once or twice for each level of AMG, between the steps of
     * FSAI, and after each million steps of ILUT and of a matching; vks_precond_create calls the function of
     * its own options. A return value other than 0 ends the solve as CANCELLED, with the x found so far. In
     * vks_solver_create and vks_solver_update it ends the set-up, and the call returns VKS_OK: the next solve
     * sets up again. The function may use the context for other work; on its own vks_solver it may only call
     * vks_solver_cancel. */
    int (*progress)(void *user, const vks_progress *progress);
    void *user;

    /* The target duration of a batch of iterations on the device, in seconds; 0: 0.05. Other work in the same
     * queue, such as a frame, waits for at most two batches. A batch has at least one iteration (JACOBI:
     * eight). No result depends on this, but batches shorter than about ten iterations slow the solve down. A
     * vks_solver measures batches by the device's clock; on software devices, and if the queue has no clock
     * (timestampValidBits is 0), by the host's, from poll to poll. GAUSS_JORDAN and DIRECT ignore it.
     * VKS_INVALID_ARGUMENT: it is negative or not finite. */
    double batch_seconds;

    /* Room for the residual history: history[k] becomes the estimate of ||b - A x|| / ||b|| after iteration
     * (k + 1) report.history_step, or after the last one. The first history_capacity values are kept, at most
     * 4,194,304. NULL: no history. */
    double *history;
    uint32_t history_capacity;

    /* Room for the first cycle_capacity cycles, including the one from the initial x. NULL: not recorded.
     * GAUSS_JORDAN and DIRECT have no cycles. */
    vks_cycle *cycles;
    uint32_t cycle_capacity;

    /* The preconditioner with all its options; leave `precond` and `block_size` zero then. It is only read
     * during the call. VKS_INVALID_ARGUMENT: both are given, an option is out of range, or the method cannot
     * use it. CG needs a linear and symmetric one; steps of CG are not linear. */
    const vks_precond_options *precond_options;
    /* A preconditioner that several solves share (vks_precond_create); leave `precond`, `block_size` and
     * `precond_options` zero then. It may be made from another matrix of the same order as A;
     * vks_precond_update describes new values of that matrix. If it refuses its matrix, the report numbers
     * rows as in that matrix, without `order`. With iterate_in_f32 it must have in_f32. VKS_INVALID_ARGUMENT:
     * its order, precision or context does not fit, or the method takes none. */
    vks_precond *shared_precond;
    /* The system that IDR, MINRES, BICGSTAB and GMRES iterate on: B y = P R b with B = P R A C and x = C y,
     * where R and C are diagonal matrices of powers of two, so that scaling and unscaling are exact, and P
     * permutes rows. x, residuals and reports are those of A as given, and so are the tolerance and the
     * numbers of rows.
     *
     * RUIZ: rows and columns are divided by the roots of their largest magnitudes ten times (D. Ruiz, 2001);
     * with a symmetric A, R = C. MATCH: P makes the product of the magnitudes on the diagonal as large as
     * possible. R and C make the diagonal 1, up to rounding to powers of two, and no entry larger (I. S.
     * Duff, J. Koster, 2001: MC64 job 5). The host recomputes them for new values. If that takes too many
     * steps, which depends on A alone, the scaling is RUIZ, and report.warning says so. If A is structurally
     * singular, report.warning gives its rank, and iterations are tried.
     *
     * AUTO: MATCH if a diagonal entry is missing, zero, or below 1e-6 in magnitude after the scaling of RUIZ,
     * and the preconditioner is not SADDLE, whose blocks MATCH would destroy; otherwise RUIZ; NONE with
     * other methods, with shared_precond, and with an operator. VKS_INVALID_ARGUMENT: RUIZ or MATCH in such a
     * case, or MATCH with SADDLE or with MINRES. */
    vks_scaling scaling;
    /* GMRES: the iterations between restarts, and the number of vectors that it keeps, 1 to
     * VKS_LARGEST_RESTART; 0: 30. Larger, or with another method: VKS_INVALID_ARGUMENT. */
    uint32_t restart;
    /* The other processes that share the rows of A x = b; NULL: there are none. The struct must exist until
     * the solve ends. The method is then CG, also for AUTO, and the preconditioner shared_precond or NONE.
     * VKS_INVALID_ARGUMENT: another method or preconditioner, an operator, iterate_in_f32, singular,
     * progress, or ranges that do not fit. VKS_UNSUPPORTED: a device without 64-bit floats. */
    const struct vks_partners *partners;
    /* The norms of b - A x that decide convergence. BOTH: the plain one and, if the largest magnitudes of the
     * rows of A differ by a factor of VKS_ROWS_DIFFER or more, also the scaled one, ||D^-1 (b - A x)|| <=
     * rtol ||D^-1 b||. D has the magnitudes of the rows, rounded to powers of two, and 1 for rows without
     * entries. If atol is larger than rtol ||b||, it alone decides, by the plain norm. PLAIN and SCALED: only
     * that norm. VKS_INVALID_ARGUMENT: SCALED with an atol, or with an operator or the fixed point, which
     * have no scaled norm. */
    vks_norm norm;
    /* AUTO: 1: the attempts are those of a GPU on every device; 0: on the host they are chosen by its own
     * times. With no_direct = 1, too, the attempts, and the bits of x, are the same on every device.
     * VKS_INVALID_ARGUMENT: either is given with another method. */
    int any_device;
    /* AUTO: 1: no attempt by DIRECT; 0: DIRECT is attempted if UMFPACK is installed and promises small
     * factors (docs/methods/auto.md). Such attempts have no iterations, history or cycles. */
    int no_direct;
} vks_solve_options;

/* Solves A x = b by conjugate gradients. A is square, symmetric and positive definite (not checked in
 * advance; see NOT_POSITIVE_DEFINITE). x holds the initial guess and becomes the solution. A, b and x are of
 * one precision and context. options and report may be NULL. Source: M. R. Hestenes, E. Stiefel, "Methods of
 * conjugate gradients for solving linear systems" (1952); with the preconditioner as in Y. Saad, "Iterative
 * methods for sparse linear systems", 2nd ed., algorithm 9.1.
 *
 * VKS_INVALID_ARGUMENT: shapes, precisions or contexts do not fit, or an option is out of range.
 * VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY, VKS_DEVICE_LOST, VKS_TIMEOUT: x is then undefined.
 *
 * Reasons: CONVERGED, ITERATION_LIMIT, STAGNATED, DIVERGED (the residual grew by 1e10),
 * NOT_POSITIVE_DEFINITE (the iteration and p.Ap, or the row of a negative diagonal entry), ZERO_DIAGONAL (the
 * row), NOT_FINITE (also if b = 0 and x = 0 and A is not finite), CANCELLED, with BLOCK_JACOBI SINGULAR (the
 * first row of the block), with DENSE SINGULAR (the column), with options->singular NOT_SINGULAR (by how
 * much).
 *
 * With options->iterate_in_f32 the vectors of the iteration, the preconditioner and the products are in f32,
 * which is about half the memory traffic. Whenever the residual has fallen to a tenth, the result is added to
 * x in f64, b - A x is recomputed in f64 with the original A, and the iteration continues with its directions
 * (M. A. Clark et al., "Solving lattice QCD systems of equations using mixed precision solvers on GPUs",
 * 2010; H. A. van der Vorst, Q. Ye, "Residual replacement strategies for Krylov subspace iterative methods",
 * 2000). IDR, MINRES, BICGSTAB and GMRES compute a correction of x from zero: they restart from the residual
 * whenever it has fallen to a thousandth.
 *
 * If A is VKS_MIXED and stored in f32, the products are with A itself, and to 1e-8 a solve takes about as
 * many iterations as in f64. Otherwise the set-up makes a copy in the same format, rounded to f32 (8 bytes an
 * entry, and about as many for a format beside CSR), and a solve takes a quarter more to twice as many
 * iterations (docs/solving.md). report.iterated_in, rounded and refinements show which applies. Reasons then
 * concern A as rounded to f32, and the detail says "in f32": f64 may solve a system that ended as STAGNATED
 * or NOT_POSITIVE_DEFINITE.
 *
 * On a device without 64-bit floats A, b and x of VKS_F64 (or A of VKS_MIXED) are pairs of 32-bit floats
 * (vksolve/vector.h), and CG iterates in f32. x and b - A x are in pairs on the device. The host confirms
 * CONVERGED, and computes report.true_residual, in double precision from A, b and x as they are on the
 * device; initial_residual is computed in pairs. VKS_UNSUPPORTED: a method that does not refine.
 *
 * The blocks of BLOCK_JACOBI are inverted in one batch (vksolve/block.h). Natural blocks are runs of
 * neighbouring rows with entries in the same columns, such as the unknowns of a node; runs of more than 32
 * rows are cut. A row unlike its neighbours is a block of its own, as with JACOBI. */
static inline vks_status vks_cg_solve(const vks_matrix *A, const vks_vector *b, vks_vector *x,
                                      const vks_solve_options *options, vks_solve_report *report);
VKS_CALL(vks_cg_solve, (A, b, x, options, report), const vks_matrix *A, const vks_vector *b, vks_vector *x,
         const vks_solve_options *options, vks_solve_report *report)

/* RICHARDSON, by vks_solve, iterates x = x + w M^-1 (b - A x), where M is the preconditioner and w is
 * options->weight: Saad, section 4.2.1. A is square; A and M need not be symmetric. It converges if all
 * eigenvalues of I - w M^-1 A are below 1 in magnitude. Everything else as for vks_cg_solve. Reasons:
 * CONVERGED, ITERATION_LIMIT, STAGNATED, DIVERGED (the residual grew by 1e10, or beyond the range of its
 * precision), NOT_FINITE, CANCELLED, the reason why A is unsuitable for the preconditioner, and with
 * options->singular NOT_SINGULAR. */

/* MINRES, by vks_solve, takes a symmetric A, which may be indefinite, or singular if A x = b has a solution:
 * C. C. Paige, M. A. Saunders (1975); H. Elman, D. Silvester, A. Wathen, "Finite elements and fast iterative
 * solvers" (2014), algorithm 4.1. The preconditioner is linear, symmetric and positive definite (else
 * VKS_INVALID_ARGUMENT, or NOT_POSITIVE_DEFINITE); default: ROW_SUM, or NONE for an operator. report.history
 * is MINRES's own norm, that of M^-1, scaled to begin at the true residual; only the true residual decides.
 * Everything else as vks_cg_solve. Reasons: CONVERGED, ITERATION_LIMIT, STAGNATED (the residual fell by less
 * than a tenth in 1,000 products, or A r is nearly zero and r is not, or the true residual did not follow),
 * SINGULAR (A x = b has no solution, by a proof), NOT_POSITIVE_DEFINITE, NOT_FINITE, CANCELLED, and with
 * options->singular NOT_SINGULAR. */

/* The largest order of a sparse matrix that GAUSS_JORDAN takes. */
#define VKS_GAUSS_JORDAN_LARGEST 16384u

/* Solves A x = b by the Jacobi iteration, x = x + w D^-1 (b - A x), where D is the diagonal of A and w is
 * options->weight. A is square, and its diagonal has no zeros. It converges if the spectral radius of
 * I - w D^-1 A is below 1: with w = 1 if A is strictly diagonally dominant. If A is not, report.warning names
 * the worst row. Only every eighth residual is computed, so iterations come in multiples of eight, except
 * before the limit. Everything else as vks_cg_solve; the source is Saad, sections 4.1 and 4.2.1.
 *
 * Reasons: CONVERGED; ITERATION_LIMIT (the detail says how fast the residual falls, and how many iterations
 * would be needed); DIVERGED (the residual grew by 1e10, or in 32 successive spans of eight iterations;
 * report.contraction is the growth of an iteration); STAGNATED (no smaller residual for 512 iterations,
 * though it has not doubled); ZERO_DIAGONAL (the row); NOT_FINITE; CANCELLED; with options->singular
 * NOT_SINGULAR. A residual that grows over more than 256 iterations counts as divergence. */
static inline vks_status vks_jacobi_solve(const vks_matrix *A, const vks_vector *b, vks_vector *x,
                                          const vks_solve_options *options, vks_solve_report *report);
VKS_CALL(vks_jacobi_solve, (A, b, x, options, report), const vks_matrix *A, const vks_vector *b,
         vks_vector *x, const vks_solve_options *options, vks_solve_report *report)

/* Solves x = M x + c by iterating it from x, as vks_jacobi_solve does with A = I - M, D = I and w = 1. The
 * diagonal of M is arbitrary. Residuals are ||c + M x - x||, relative to ||c||. It converges if the spectral
 * radius of M is below 1; there is no warning. VKS_INVALID_ARGUMENT: also for a weight. report.method is
 * JACOBI. */
static inline vks_status vks_fixed_point_solve(const vks_matrix *M, const vks_vector *c, vks_vector *x,
                                               const vks_solve_options *options, vks_solve_report *report);
VKS_CALL(vks_fixed_point_solve, (M, c, x, options, report), const vks_matrix *M, const vks_vector *c,
         vks_vector *x, const vks_solve_options *options, vks_solve_report *report)

/* Solves A x = b by options->method, as vks_cg_solve and vks_jacobi_solve do.
 *
 * AUTO, the default, tries a fixed list of attempts, each by one method from the best x so far, until one
 * meets the tolerance (docs/methods/auto.md). The entries of A decide which attempts apply: CG first where A
 * is symmetric with a positive diagonal, MINRES where it is symmetric, IDR otherwise, and then stronger
 * preconditioners. vks_solve_plan (vksolve/plan.h) lists them without a solve, and report.attempt has their
 * results. Budgets are counts, so attempts and bits are the same on every device with enough memory; an
 * attempt that does not fit is skipped, and report.warning names it. max_iterations limits all attempts
 * together; 0: each has its own limit. If all fail, x is the best one found, and report.reason that of the
 * last attempt; or STRUCTURALLY_SINGULAR or SINGULAR, if any attempt found that: LSMR then finds a
 * least-squares x. A proof that A x = b has no solution ends the attempts as SINGULAR: report.detail names
 * the rows whose columns sum to zero while b does not, or a null vector; report.row is the first of these
 * rows, or the row of the vector's largest element. AUTO is LSMR where A is not square, and CG where a
 * preconditioner or a weight is given, and with an operator. With iterate_in_f32, and on a device without
 * 64-bit floats, attempts iterate in f32; elimination is in f64, and omitted on such a device.
 *
 * IDR, BICGSTAB and GMRES take any square A, MINRES a symmetric one that may be indefinite or singular;
 * docs/methods/ has a page for each, with its source and its reasons. They take any preconditioner, MINRES a
 * symmetric positive definite one. BREAKDOWN: a divisor is zero, or nearly so; the detail names it.
 *
 * VKS_PRECOND_AUTO, the default, chooses the preconditioner of CG by the entries of A: JACOBI, BLOCK_JACOBI,
 * AMG in f32, or JACOBI for some iterations and then AMG, each from the x of the previous one
 * (docs/preconditioners/auto.md). If AMG breaks down, does not reduce the residual, or lacks memory, JACOBI
 * continues from the best x. The choice and the iterations depend on A alone, so they are the same on every
 * device; report.choice and report.attempt show them. With vks_cg_solve, RICHARDSON and an operator AUTO is
 * JACOBI, or NONE with an operator without a diagonal.
 *
 * LSMR takes an A of m x n of any shape and rank, and is the default where m and n differ; b has m elements
 * and x has n. It finds a solution of A x = b, or an x that minimises ||b - A x||: report.least_squares says
 * which, and report.normal_residual how accurately. If A has more columns than rows, it finds from x = 0 the
 * solution of least norm; otherwise the columns of A are scaled by powers of two, and x has the least norm in
 * this scale. An iteration has a product with A and one with A^T, which A keeps as for vks_spmv_transpose. It
 * takes no preconditioner, no weight, no null space and no operator (VKS_UNSUPPORTED: an operator has no
 * A^T). Source: D. C.-L. Fong, M. Saunders, "LSMR: An iterative algorithm for sparse least-squares problems"
 * (2011); docs/methods/lsmr.md. Reasons: CONVERGED; ITERATION_LIMIT; STAGNATED (three cycles gained nothing);
 * BREAKDOWN (a norm has vanished); NOT_FINITE; CANCELLED.
 *
 * VKS_INVALID_ARGUMENT: A is not square, and the method is not LSMR; b or x has another length; A, b or x is
 * NULL. Without A there is no context: the message is in report->detail alone.
 *
 * GAUSS_JORDAN makes a dense matrix of A, of any square shape up to VKS_GAUSS_JORDAN_LARGEST (else
 * VKS_LIMIT), and solves as vks_gauss_jordan_solve_vector of vksolve/gauss_jordan.h does, which has more
 * options and a longer report. `iterations` are then steps of refinement; max_iterations, zero_guess,
 * progress, history and cycles are ignored. Reasons: CONVERGED, STAGNATED, SINGULAR (report.row is the
 * column), NOT_FINITE; the last two leave x unchanged.
 *
 * DIRECT copies A to host memory and factors it there by UMFPACK, a library of SuiteSparse that is loaded
 * when it is first needed (Debian: libumfpack6 or libumfpack5; the environment variable VKSOLVE_UMFPACK may
 * name another file). It solves in double precision, even if A is of VKS_F32, and refines x while that halves
 * the residual. `iterations` are the steps of refinement; max_iterations, zero_guess, progress, history and
 * cycles are ignored. Reasons: CONVERGED, STAGNATED, NOT_FINITE, and SINGULAR, if the residual of x would be
 * 0.1 or more in both norms; the last two leave x unchanged. If A x = b has many solutions, and the zero
 * pivots belong to unknowns on which no other depends, x is one of them, and a warning says so; otherwise
 * MINRES and LSMR find a solution. The last bits of x depend on UMFPACK's version and its BLAS.
 * VKS_UNSUPPORTED: UMFPACK is not installed. VKS_OUT_OF_MEMORY: the factors do not fit in memory; they may
 * need many times the memory of A. VKS_LIMIT: UMFPACK fails otherwise; the message has its code. */
static inline vks_status vks_solve(const vks_matrix *A, const vks_vector *b, vks_vector *x,
                                   const vks_solve_options *options, vks_solve_report *report);
VKS_CALL(vks_solve, (A, b, x, options, report), const vks_matrix *A, const vks_vector *b, vks_vector *x,
         const vks_solve_options *options, vks_solve_report *report)

/* Solves a system in host arrays: opens the automatic device (the host, if that device has no 64-bit floats
 * and the method is neither AUTO nor CG), uploads the n x n matrix in CSR, solves in double precision and
 * downloads x. x holds the initial guess. For one-off solves: each call opens the device.
 * VKS_INVALID_ARGUMENT: an array is NULL. VKS_LIMIT: a value that pairs of 32-bit floats cannot hold, on a
 * device without 64-bit floats. The message of a failing call is in report->detail. */
static inline vks_status vks_solve_csr(uint32_t n, const uint32_t *row, const uint32_t *col,
                                       const double *val, const double *b, double *x,
                                       const vks_solve_options *options, vks_solve_report *report);
VKS_CALL(vks_solve_csr, (n, row, col, val, b, x, options, report), uint32_t n, const uint32_t *row,
         const uint32_t *col, const double *val, const double *b, double *x, const vks_solve_options *options,
         vks_solve_report *report)

/* Short names. A program that has such a name defines VKS_NO_SHORT_NAMES before it includes this header. */
#ifndef VKS_NO_SHORT_NAMES
static inline vks_status cg_solve(const vks_matrix *A, const vks_vector *b, vks_vector *x,
                                  const vks_solve_options *options, vks_solve_report *report)
{
    return vks_cg_solve(A, b, x, options, report);
}

static inline vks_status jacobi_solve(const vks_matrix *A, const vks_vector *b, vks_vector *x,
                                      const vks_solve_options *options, vks_solve_report *report)
{
    return vks_jacobi_solve(A, b, x, options, report);
}

static inline vks_status fixed_point_solve(const vks_matrix *M, const vks_vector *c, vks_vector *x,
                                           const vks_solve_options *options, vks_solve_report *report)
{
    return vks_fixed_point_solve(M, c, x, options, report);
}
#endif

#ifdef __cplusplus
}
#endif

#include "vksolve/kept_solver.h"

#endif
