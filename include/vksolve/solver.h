/* vksolve/solver.h -- solving A x = b.
 *
 * A solve returns VKS_OK when it ran; how it ended is report.reason. It is CONVERGED only when the residual b
 * - A x, recomputed in double precision from the x that is returned, meets the tolerance:
 *     ||b - A x|| <= max(rtol ||b||, atol)
 * Of a singular A (vks_solve_options.singular), b is here without what it has in the null space, which no x
 * can give; what A x has there counts.
 * Where the recurrence of a method has drifted from it, the method starts anew from the true residual, and
 * ends as STAGNATED when that no longer halves it.
 *
 * Everything but the stopping decisions stays on the device; iterations are submitted in batches ahead of the
 * one that is waited for. The same bits come out on every device that passes vks_context_selftest, unless the
 * matrix has an atomic format.
 *
 * Threads: as vksolve/context.h says. */
#ifndef VKSOLVE_SOLVER_H
#define VKSOLVE_SOLVER_H

#include "vksolve/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(NAME, module, name, text) */
#define VKS_METHODS(X)                                                                           \
    X(CG, cg, "cg", "conjugate gradients, A symmetric positive definite")                        \
    X(JACOBI, jacobi, "jacobi", "the Jacobi iteration, A diagonally dominant, or nearly so")     \
    X(GAUSS_JORDAN, gauss_jordan, "gauss-jordan", "Gauss-Jordan elimination, A small and dense") \
    X(RICHARDSON, richardson, "richardson", "x += w M^-1 (b - A x), M close to A")

/* X(NAME, module, name, text) */
#define VKS_PRECONDS(X)                                                                           \
    X(NONE, none, "none", "no preconditioner")                                                    \
    X(JACOBI, jacobi, "jacobi", "the diagonal of A, which must be positive")                      \
    X(BLOCK_JACOBI, block_jacobi, "block-jacobi", "blocks on the diagonal of A, of 1 to 32 rows") \
    X(DENSE, dense, "dense", "the inverse of A by Gauss-Jordan elimination, A small")             \
    X(INNER, inner, "inner", "some steps of a method")                                            \
    X(CHEBYSHEV, chebyshev, "chebyshev", "a Chebyshev polynomial in A, A symmetric")

#define VKS_METHOD_ENUM_(NAME, module, name, text) VKS_METHOD_##NAME,
typedef enum vks_method { VKS_METHOD_AUTO, VKS_METHODS(VKS_METHOD_ENUM_) VKS_METHOD_COUNT_ } vks_method;
#undef VKS_METHOD_ENUM_

#define VKS_PRECOND_ENUM_(NAME, module, name, text) VKS_PRECOND_##NAME,
typedef enum vks_precond_kind {
    VKS_PRECOND_AUTO,
    VKS_PRECONDS(VKS_PRECOND_ENUM_) VKS_PRECOND_COUNT_
} vks_precond_kind;
#undef VKS_PRECOND_ENUM_

/* A preconditioner, and its options: vksolve/precond.h. */
typedef struct vks_precond vks_precond;
typedef struct vks_precond_options vks_precond_options;

/* "cg", "jacobi"; "auto" for AUTO; "?" outside the list. */
VKS_API const char *vks_method_name(vks_method method);
VKS_API const char *vks_method_text(vks_method method);
/* 1: the method takes a preconditioner, as CG and AUTO do; 0: it takes none, or is outside the list. */
VKS_API int vks_method_takes_precond(vks_method method);
VKS_API const char *vks_precond_name(vks_precond_kind precond);
VKS_API const char *vks_precond_text(vks_precond_kind precond);

typedef struct vks_progress {
    uint32_t iteration;
    double residual; /* the method's own estimate of ||b - A x|| / ||b|| */
    double target;   /* where it stops */
    double seconds;  /* since the iterations began */
} vks_progress;

/* vks_solve_options.weight: 4 / (3 (1 + g)), g the largest ratio of the other entries of a row to its
 * diagonal entry, by sums of magnitudes. 1 + g bounds the eigenvalues of D^-1 A (Gershgorin), so that the
 * iteration converges for every A that is symmetric positive definite, and damps the upper half of what the
 * bound leaves to the eigenvalues to a third: 2 / (l + u), Saad section 4.2.1, with l = u / 2. Where A is
 * diagonally dominant, a weight of 1 converges faster. */
#define VKS_WEIGHT_AUTO (-1.0)

#define VKS_LARGEST_NULL_SPACE 16

/* Where iterations began, or began anew, from the true residual. */
typedef struct vks_cycle {
    uint32_t iteration;   /* how many had been done */
    int keeps_directions; /* iterate_in_f32: it goes on in the directions so far; 0: it is the start, or a
                             restart */
    double true_residual; /* ||b - A x|| / ||b|| then, in double precision */
} vks_cycle;

typedef struct vks_solve_options {
    vks_method method;        /* default: CG */
    vks_precond_kind precond; /* of CG and RICHARDSON; default: JACOBI, or NONE with an operator that was
                                 given no diagonal */
    double weight;            /* of RICHARDSON, above 0; of JACOBI, that or VKS_WEIGHT_AUTO; 0: 1. Another, or
                                 with another method: VKS_INVALID_ARGUMENT */
    uint32_t block_size; /* of BLOCK_JACOBI: rows of each block but the last, 1 to 32; 0: natural blocks, see
                            vks_cg_solve. Larger, or with another: VKS_INVALID_ARGUMENT */
    double rtol; /* relative tolerance; 0: 1e-8, in f32 1e-5. Negative, or not finite: VKS_INVALID_ARGUMENT */
    double atol; /* absolute tolerance, in the units of b; default 0 */
    uint32_t max_iterations; /* 0: ten times the unknowns, at least 1,000 and at most 100,000 */
    int zero_guess; /* x is taken as zero, whatever it holds; else elements of x in whose columns A has
                       no entry keep what they hold, even NaN */
    /* CG iterates in f32; x, b and b - A x stay in f64, and so the result is as good: see vks_cg_solve. A is
     * of VKS_F64 or VKS_MIXED. VKS_INVALID_ARGUMENT: it is of VKS_F32, or the method is another. On a device
     * without 64-bit floats CG does so with such an A whatever this says. */
    int iterate_in_f32;
    /* A is symmetric and singular, and its null space known: the constants, as in pure Neumann problems, or
     * what null_space_count vectors span, at most VKS_LARGEST_NULL_SPACE, of A's rows, in either precision.
     * Residuals and x are kept orthogonal to it, which gives the solution of least norm, also where b is not,
     * to which there is no solution: that part of b is left out, and report.null_component tells of it. Norms
     * of b are then without it. Vectors need not be orthogonal. VKS_INVALID_ARGUMENT: A times one of them is
     * not zero (1e-5 of the entries of A, in f32 1e-3), they depend on each other, or the method is
     * GAUSS_JORDAN or the fixed point. VKS_UNSUPPORTED: a device without 64-bit floats.
     *
     * Where A is not quite singular, or not symmetric, A x has a part in the null space. Residuals that are
     * kept orthogonal to it miss that part; true residuals in the report have it (but not the rounding of
     * what b has there). The reason is NOT_SINGULAR where the rest meets the tolerance and the whole does
     * not: iterations cannot lower that part. Solve such a system without `singular`. A part of up to a tenth
     * of the tolerance is taken for rounding, and iterations go on until the whole meets the tolerance. */
    int singular;
    const vks_vector *const *null_space; /* NULL: the constants */
    uint32_t null_space_count;
    /* Where the unknowns have been reordered (vksolve/reorder.h): the number, from 0, by which the caller
     * knows each row, as many as A has rows. report.row, detail and warning name rows by it; nothing else
     * changes. Only read, during the call. NULL: rows are known as they are. GAUSS_JORDAN ignores it. */
    const uint32_t *order;

    /* Called after each batch of iterations (at most 64, JACOBI 512, some milliseconds), and where iterations
     * begin anew from the true residual; non-zero ends the solve as CANCELLED, with the x so far. It may use
     * the context for other things, but of its own vks_solver vks_solver_cancel alone. */
    int (*progress)(void *user, const vks_progress *progress);
    void *user;

    /* The time that a batch of iterations should keep the device, in seconds; 0: 0.05. What others submit to
     * the same queue, such as a frame, waits for what is under way, two batches at most. Batches are made no
     * shorter than an iteration (JACOBI: eight), and no result depends on it; below the time of some ten
     * iterations the solve takes longer. A vks_solver holds it by the device's clock; where its queue has
     * none (timestampValidBits is 0), and on software devices, by the host's, for which a batch lasts from
     * poll to poll. GAUSS_JORDAN ignores it. VKS_INVALID_ARGUMENT: it is negative or not finite. */
    double batch_seconds;

    /* Where the caller wants the residual history: history[k] becomes the estimate of ||b - A x|| / ||b||
     * after iteration (k + 1) report.history_step, or the last one, for the first history_capacity of these
     * (at most 4,194,304 are kept). */
    double *history;
    uint32_t history_capacity;

    /* Where the caller wants to know of the cycles: the first cycle_capacity of them, that from x0 included.
     * GAUSS_JORDAN has none. */
    vks_cycle *cycles;
    uint32_t cycle_capacity;
    uint32_t
        cycle_stride; /* bytes from one of the cycles to the next; 0: as an array of vks_cycle has them */

    /* The preconditioner with all its options, in place of `precond` and `block_size`, which are then zero.
     * Only read during the call. VKS_INVALID_ARGUMENT: both are given, an option of it is out of range, or
     * the method cannot use it: CG one that is not linear and symmetric, as k steps of CG are not. */
    const vks_precond_options *precond_options;
    /* A preconditioner that several solves share (vks_precond_create). `precond`, `block_size` and
     * `precond_options` are then zero. Its matrix has the order of A, and may be another one;
     * vks_precond_update says what holds after that has new values. Where it refuses its matrix, `order` does
     * not count: rows are those of that matrix. With iterate_in_f32 it is one with in_f32.
     * VKS_INVALID_ARGUMENT: its order, precision or context does not fit, or the method takes none.
     */
    vks_precond *shared_precond;
} vks_solve_options;

/* After a call that failed: reason NOT_RUN, the residuals NaN, and the context's message in `detail`. */
typedef struct vks_solve_report {
    vks_reason reason;
    char detail[256];  /* about this very case: the iteration, or the row counted from 1 as in files; "" for
                          nothing */
    char warning[256]; /* what speaks against the method or the result; "" for nothing */
    vks_method method;
    vks_precond_kind precond;
    uint32_t blocks, largest_block; /* of BLOCK_JACOBI: how many, and the rows of the largest; else 0 */
    uint32_t iterations;
    uint32_t restarts;         /* from the true residual, without the directions so far */
    vks_precision iterated_in; /* the precision of the iterations: VKS_F32 or VKS_F64 */
    int in_pairs;              /* A, b and x are in pairs of 32-bit floats, see vks_cg_solve */
    int rounded; /* iterate_in_f32, and the iterations are with a copy of A that is rounded to f32, or
                    with the product of an operator in f32 */
    uint32_t refinements;    /* iterate_in_f32: times that x took, in f64, what they had found */
    uint32_t row;            /* the offending row of ZERO_DIAGONAL and the like, from 0; UINT32_MAX: none */
    double initial_residual; /* ||b - A x0|| / ||b||, true; of a singular A, b is here without its part in the
                                null space, and so below */
    double residual;         /* the method's own last estimate */
    double true_residual;    /* ||b - A x|| / ||b|| of the x returned, in double precision; 0 for 0 / 0 */
    uint32_t history_count;  /* values in options.history */
    uint32_t history_step;   /* iterations from one of them to the next: 1, with JACOBI 8 */
    uint32_t cycle_count;    /* values in options.cycles */
    double null_component;   /* of a singular A: the norm of what b has in its null space, over ||b|| */
    double weight;           /* of JACOBI and RICHARDSON, as it was taken; else 0 */
    double contraction; /* by what an iteration multiplied ||b - A x|| at the end: the geometric mean over the
                           last 72 to 128 iterations, or fewer, of JACOBI; NaN: not measured */
    double seconds_setup;              /* preconditioner, workspace, recording */
    double seconds_solve;              /* iterations and true residuals */
    double bytes_per_iteration;        /* memory traffic by the kernels' bills */
    uint32_t dispatches_per_iteration; /* rounded; 0: one does many iterations */
    uint32_t together; /* how many workgroups iterated in one dispatch, waiting for each other; 0: none did */
} vks_solve_report;

/* Solves A x = b by conjugate gradients. A is square, symmetric and positive definite (not checked in
 * advance; see NOT_POSITIVE_DEFINITE), x holds the initial guess and becomes the solution; all of one
 * precision and context. options and report may be NULL. Source: M. R. Hestenes, E. Stiefel, "Methods of
 * conjugate gradients for solving linear systems" (1952); with the preconditioner as in Y. Saad, "Iterative
 * methods for sparse linear systems", 2nd ed., algorithm 9.1. VKS_INVALID_ARGUMENT: shapes, precisions or
 * contexts do not fit, or an option is out of range. VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY, VKS_DEVICE_LOST,
 * VKS_TIMEOUT: x is then undefined. Reasons: CONVERGED, ITERATION_LIMIT, STAGNATED, DIVERGED (the residual
 * grew by 1e10), NOT_POSITIVE_DEFINITE (the iteration and p.Ap, or the row of a negative diagonal entry),
 * ZERO_DIAGONAL (the row), NOT_FINITE (also with b = 0 and x = 0, where A is not finite), CANCELLED, with
 * BLOCK_JACOBI SINGULAR (the first row of the block), with DENSE SINGULAR (the column), and with
 * options->singular NOT_SINGULAR (by how much).
 *
 * With options->iterate_in_f32 the vectors of the iteration, the preconditioner and the products are in f32,
 * which is about half the memory traffic. Whenever the residual has fallen to a tenth, x takes what was
 * found, in f64; b - A x is computed anew in f64, with A as it was given; and the iteration goes on from it
 * in the directions that it has (M. A. Clark et al., "Solving lattice QCD systems of equations using mixed
 * precision solvers on GPUs", 2010; H. A. van der Vorst, Q. Ye, "Residual replacement strategies for Krylov
 * subspace iterative methods", 2000). Where all values of A survive f32 and A is VKS_MIXED, the products are
 * with A itself, and to 1e-8 there are about as many iterations as in f64. Else they are with a copy in the
 * same format, rounded to f32 (8 bytes an entry, and about as many for a format beside CSR), which the set-up
 * makes and seconds_setup counts; then it may be a quarter more, or twice as many (docs/solvers.md).
 * report.iterated_in, rounded and refinements tell of it. The reasons are then about A as f32 has it, and the
 * detail says "in f32": f64 may solve what STAGNATED, or was refused as NOT_POSITIVE_DEFINITE.
 *
 * On a device without 64-bit floats A, b and x of VKS_F64 (or A of VKS_MIXED) are pairs of 32-bit ones
 * (vksolve/vector.h), and this is how they are solved for: x and b - A x are in pairs on the device, and what
 * makes a solve CONVERGED, and report.true_residual, is b - A x in double precision on the host, from A, b
 * and x as they are on the device; initial_residual is that in pairs. VKS_UNSUPPORTED: another method.
 *
 * The blocks of BLOCK_JACOBI are inverted in one batch (vksolve/block.h). Natural ones are runs of
 * neighbouring rows with entries in the same columns, as the unknowns of a node have them, cut where they are
 * longer than 32; so a row that is like no neighbour is a block, and then it is JACOBI. */
VKS_CALL_0_1(vks_cg_solve, (A, b, x, options, report), const vks_matrix *A, const vks_vector *b,
             vks_vector *x, const vks_solve_options *options, vks_solve_report *report)

/* RICHARDSON, by vks_solve, is x = x + w M^-1 (b - A x), with M options->precond and w options->weight: Saad,
 * section 4.2.1. A is square; it and M need not be symmetric. It converges where the eigenvalues of
 * I - w M^-1 A are below 1 in magnitude. Everything else as vks_cg_solve. Reasons: CONVERGED,
 * ITERATION_LIMIT, STAGNATED, DIVERGED (the residual grew by 1e10, or out of the range of its precision),
 * NOT_FINITE, CANCELLED, what speaks against A for the preconditioner, and with options->singular
 * NOT_SINGULAR. */

/* The largest order of a sparse matrix that GAUSS_JORDAN takes. */
#define VKS_GAUSS_JORDAN_LARGEST 16384u

/* Solves A x = b by the Jacobi iteration, x = x + w D^-1 (b - A x) with D the diagonal of A and w
 * options->weight. A is square, and its diagonal free of zeros. It converges where the spectral radius of
 * I - w D^-1 A is below 1: with w = 1 if A is strictly diagonally dominant; if it is not, report.warning
 * tells the worst row, and the iteration is tried. The residual of every eighth x is looked at, and the solve
 * ends with the x that was looked at, so iterations come in eights, but for the last ones before the limit.
 * Everything else as vks_cg_solve; the source is Saad's sections 4.1 and 4.2.1. Reasons: CONVERGED;
 * ITERATION_LIMIT (by how much the residual falls, and what would be needed); DIVERGED (the residual grew by
 * 1e10, or 32 times in a row in eight iterations; the growth of an iteration: report.contraction); STAGNATED
 * (no smaller residual for 512 iterations, though it has not doubled); ZERO_DIAGONAL (the row), NOT_FINITE,
 * CANCELLED, and with options->singular NOT_SINGULAR. A hump that takes longer than 256 iterations is taken
 * for divergence. */
VKS_CALL_0_1(vks_jacobi_solve, (A, b, x, options, report), const vks_matrix *A, const vks_vector *b,
             vks_vector *x, const vks_solve_options *options, vks_solve_report *report)

/* Solves x = M x + c by iterating it, from x: what is said of vks_jacobi_solve with A = I - M, D = I and w =
 * 1, for M, whose diagonal is as it may be. Residuals are ||c + M x - x||, relative to ||c||. It converges
 * where the spectral radius of M is below 1; there is no warning. VKS_INVALID_ARGUMENT: a weight, too.
 * report.method is JACOBI. */
VKS_CALL_0_1(vks_fixed_point_solve, (M, c, x, options, report), const vks_matrix *M, const vks_vector *c,
             vks_vector *x, const vks_solve_options *options, vks_solve_report *report)

/* Solves A x = b by options->method, as vks_cg_solve and vks_jacobi_solve do. GAUSS_JORDAN makes a dense
 * matrix of A, of any square shape up to VKS_GAUSS_JORDAN_LARGEST (else VKS_LIMIT), and solves as
 * vks_gauss_jordan_solve_vector of vksolve/gauss_jordan.h does, which has more options and tells more.
 * `iterations` are then steps of refinement; max_iterations, zero_guess, progress, history and cycles are
 * ignored. Reasons: CONVERGED, STAGNATED, SINGULAR (report.row is the column), NOT_FINITE; after the last two
 * x is as it was. */
VKS_CALL_0_1(vks_solve, (A, b, x, options, report), const vks_matrix *A, const vks_vector *b, vks_vector *x,
             const vks_solve_options *options, vks_solve_report *report)

/* Host arrays in, host array out: opens the automatic device (the host where that has no 64-bit floats and
 * the method is not CG; VKS_LIMIT: there, a value that pairs of 32-bit ones cannot hold), uploads, solves in
 * double precision (the n x n matrix in CSR, x holds the initial guess), downloads. For one-off solves; the
 * device is opened each time. A pointer to an array that is NULL is VKS_INVALID_ARGUMENT. The message of a
 * failing call is in report->detail. */
VKS_CALL_0_1(vks_solve_csr, (n, row, col, val, b, x, options, report), uint32_t n, const uint32_t *row,
             const uint32_t *col, const double *val, const double *b, double *x,
             const vks_solve_options *options, vks_solve_report *report)

/* A solver: a matrix, a method, a preconditioner, the workspace and all that is submitted, set up once for
 * many solves, as the steps of a simulation want them. A solve allocates nothing then, on the host or on the
 * device, and starts from the x that it is given.
 *
 *     vks_solver_create(A, &options, &solver);
 *     for (step ...) {
 *         // new values for A, if it has any: vks_matrix_set_values(A, ...)
 *         vks_solver_solve(solver, b, x, &report);
 *     }
 *     vks_solver_destroy(solver);
 *
 * The bits are those of vks_solve from the same x. Vectors may be others each time; they are copied into the
 * solver's own and x back, so that a solver takes room for b and x beside the workspace. */
typedef struct vks_solver vks_solver;

/* A solver for A x = b, as vks_solve has it. A is kept alive by the solver, and held as CSR where it is lean.
 * options may be NULL; what its pointers point to (order, null_space, user, history, cycles) must stay while
 * the solver is there, and each solve writes history and cycles anew. VKS_INVALID_ARGUMENT: as vks_solve, or
 * GAUSS_JORDAN, which has nothing to keep (see vksolve/gauss_jordan.h for inverses). VKS_DEVICE_MEMORY,
 * VKS_OUT_OF_MEMORY, VKS_DEVICE_LOST, VKS_TIMEOUT. After a failure *solver is NULL. A matrix that does not
 * suit the preconditioner makes a solver whose solves end with that reason. */
VKS_CALL_0_1(vks_solver_create, (A, options, solver), const vks_matrix *A, const vks_solve_options *options,
             vks_solver **solver)

/* Ends the solve that is under way, if any. NULL is fine. */
VKS_API void vks_solver_destroy(vks_solver *solver);

/* Takes over new values of A (vks_matrix_set_values and the like): the preconditioner is made anew; the
 * workspace stays, and what is submitted where the format keeps its place (it moves where entries are coded,
 * see vks_coding). Every solve does so by itself; this is for choosing the time. Errors as vks_solver_create;
 * it may be repeated. VKS_INVALID_ARGUMENT: a solve is under way. */
VKS_API vks_status vks_solver_update(vks_solver *solver);

/* rtol, atol and max_iterations of the solves to come, as in vks_solve_options, which 0 stands for the
 * defaults of. VKS_INVALID_ARGUMENT: out of range, or a solve is under way. */
VKS_API vks_status vks_solver_set_limits(vks_solver *solver, double rtol, double atol,
                                         uint32_t max_iterations);

/* One solve, from x, with everything as vks_solve has it. report->seconds_setup is the time of
 * vks_solver_create in the first report, and of updates since the last solve in later ones. */
VKS_CALL_0_1(vks_solver_solve, (solver, b, x, report), vks_solver *solver, const vks_vector *b, vks_vector *x,
             vks_solve_report *report)

/* The same for `count` systems, one after the other; reports may be NULL. Ends with the first that fails. */
VKS_CALL_0_1(vks_solver_solve_many, (solver, count, b, x, reports), vks_solver *solver, uint32_t count,
             const vks_vector *const *b, vks_vector *const *x, vks_solve_report *reports)

/* The same without waiting for the device: submit begins a solve, poll and wait carry it on. A GPU works on
 * two batches of up to 64 iterations (JACOBI 512) at a time, after which it idles until it is asked again, so
 * a frame of some milliseconds should poll once or more. On the host the work is done within the calls, by
 * each of them a batch or two (each at most some 50 milliseconds, or batch_seconds). b and x must stay until
 * the solve has ended, and x, A and the matrix of a shared preconditioner be left alone; the context may be
 * used for other things. VKS_INVALID_ARGUMENT: as vks_solve, or a solve is under way. */
VKS_API vks_status vks_solver_submit(vks_solver *solver, const vks_vector *b, vks_vector *x);

/* Goes on as far as is possible without waiting, but for what is brief or rare: a cycle's history, a residual
 * that the host computes (without 64-bit floats), a norm whose square is no double. *ended: whether the solve
 * has ended; then the report, which may be NULL, is that of vks_solve; before, its reason is NOT_RUN, and
 * iterations and residual tell how far it had come. A failure, as of vks_solve, ends it; x is then undefined.
 * VKS_INVALID_ARGUMENT: none has been submitted, or it has failed, or the solve's own progress function asks.
 */
VKS_CALL_0_1(vks_solver_poll, (solver, ended, report), vks_solver *solver, int *ended,
             vks_solve_report *report)

/* The same, for up to `seconds`, which may be INFINITY. VKS_TIMEOUT: it has not ended by then, and goes on
 * with the next poll or wait, unless the device has not answered for 300 seconds. */
VKS_CALL_0_1(vks_solver_wait, (solver, seconds, report), vks_solver *solver, double seconds,
             vks_solve_report *report)

/* The solve that is under way, if any, is to end as CANCELLED, which it does in a later poll or wait. */
VKS_API void vks_solver_cancel(vks_solver *solver);

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
#endif
