/* vksolve/report.h -- the report of a solve, its text, and what to try next. vksolve/solver.h includes it.
 *
 * The calls need no context, and may be made by any thread. */
#ifndef VKSOLVE_REPORT_H
#define VKSOLVE_REPORT_H

#include "vksolve/hierarchy.h"
#include "vksolve/matrix.h"
#include "vksolve/methods.h"

#ifdef __cplusplus
extern "C" {
#endif

/* After a call that failed: reason NOT_RUN, the residuals NaN, and the context's message in `detail`. */
typedef struct vks_solve_report {
    vks_reason reason;
    char detail[256];  /* the iteration, or the row counted from 1 as in files; "": none */
    char warning[256]; /* a warning about the method or the result; "": none */
    vks_method method;
    vks_precond_kind precond;
    uint32_t blocks, largest_block; /* BLOCK_JACOBI: their number, and the rows of the largest; else 0 */
    uint32_t iterations;
    uint32_t restarts;         /* from the true residual, dropping the directions */
    vks_precision iterated_in; /* the precision of the iterations: VKS_F32 or VKS_F64 */
    int in_pairs;              /* A, b and x are in pairs of 32-bit floats, see vks_cg_solve */
    int rounded; /* 1: with iterate_in_f32, the iterations used a copy of A rounded to f32, or an operator's
                    product in f32 */
    uint32_t refinements; /* iterate_in_f32: how often the result of the iterations was added to x in f64 */
    uint32_t row;         /* the offending row of ZERO_DIAGONAL and the like, from 0; UINT32_MAX: none */
    double initial_residual; /* the true ||b - A x0|| / ||b||; if A is singular, b here and below is without
                                its part in the null space */
    double residual;         /* the method's own last estimate */
    double true_residual;    /* ||b - A x|| / ||b|| of the x returned, in double precision; 0 for 0 / 0 */
    uint32_t history_count;  /* values in options.history */
    uint32_t history_step;   /* iterations from one value to the next: 1, with JACOBI 8 */
    uint32_t cycle_count;    /* values in options.cycles */
    double null_component;   /* singular A: the norm of the part of b in its null space, over ||b|| */
    double weight;           /* of JACOBI and RICHARDSON, as used; else 0 */
    /* The factor by which an iteration multiplied ||b - A x||, a geometric mean. JACOBI: of the last 72 to
     * 128 iterations, or fewer. If `hierarchy` has levels: of the whole last attempt. NaN: not measured. */
    double contraction;
    double seconds_setup;       /* preconditioner, workspace, recording */
    double seconds_solve;       /* iterations and true residuals */
    double bytes_per_iteration; /* memory traffic as counted for each kernel, the mean of all iterations */
    uint32_t dispatches_per_iteration; /* rounded; 0: a dispatch does many iterations */
    uint32_t together; /* workgroups that synchronised in a dispatch of many iterations; 0: there was none */
    uint64_t precond_bytes; /* of device memory of the preconditioner */
    vks_hierarchy
        hierarchy;     /* of AMG, also as an inner preconditioner; of a shared preconditioner the last one */
    char choice[200];  /* AUTO: why these preconditioners were tried; "": there was no choice */
    uint32_t attempts; /* AUTO: their number; report.precond is that of the last; else 0 */
    vks_attempt attempt[VKS_LARGEST_ATTEMPTS];
    vks_scaling scaling;      /* as used; AUTO: no set-up has determined it */
    uint32_t structural_rank; /* the largest number of entries of A in distinct rows and columns, if the
                                 scaling has found it; else 0 */
    /* LSMR: 1: CONVERGED means that x is a least-squares solution; 0: b - A x meets the tolerance, or the
     * solve has not converged. Other methods: 0. */
    int least_squares;
    /* LSMR: ||A^T r|| / (||A||_F ||r||) of the x returned, r = b - A x, in double precision; 0 for 0 / 0.
     * Other methods: NaN. */
    double normal_residual;
    double norm_of_b;      /* ||b||, by which the residuals above are divided; NaN: not measured */
    uint32_t hints;        /* what to try next: 1u << k for each vks_hint k */
    uint32_t rows_of_node; /* rows per node that A seems to have; 0: not determined */
    /* ||D^-1 (b - A x)|| / ||D^-1 b|| of the x returned (vks_solve_options.norm). If A is singular, both are
     * without their parts in its null space. NaN: not requested, or rows do not differ. */
    double scaled_residual;
    double row_range; /* the largest magnitude of a row of A over the least; NaN: A is an operator */
    /* max_i |b - A x|_i / (|A| |x| + |b|)_i of the x returned, and the row where it is, from 0; NaN and
     * UINT32_MAX: not measured, as with an operator. With `partners` also UINT32_MAX: a partner's row. */
    double backward_error;
    uint32_t backward_error_row;
    /* u || |A| |x| + |b| || / ||b||, u the unit roundoff of x: the true_residual that rounding the exact x
     * may leave. N. J. Higham, "Accuracy and stability of numerical algorithms", 2nd ed., theorem 7.3. NaN:
     * not measured. */
    double rounding_level;
    int exact_residual; /* 1: b - A x was computed in pairs of doubles, as its rounding errors in doubles may
                           exceed the tolerance */
} vks_solve_report;

/* X(NAME): what to try after a solve that failed or was slow. vks_solve_hints has it in words. */
#define VKS_HINTS(X)                                                                \
    X(TOLERANCE)     /* a larger tolerance: rounding allows no more */              \
    X(F64)           /* f64: the vectors were in f32 */                             \
    X(NOT_IN_F32)    /* iterations in f64: they were in f32 */                      \
    X(HOST)          /* a device with 64-bit floats: this one has none */           \
    X(NULL_SPACE)    /* vks_solve_options.singular: the rows of A sum to zero */    \
    X(NO_NULL_SPACE) /* a solve without vks_solve_options.singular */               \
    X(LEAST_SQUARES) /* LSMR: A is singular */                                      \
    X(DIRECT)        /* sparse factors: the automatic method has given up */        \
    X(INDEFINITE)    /* MINRES or IDR: CG found A not positive definite */          \
    X(AUTOMATIC)     /* the automatic method, in place of the one that was named */ \
    X(ITERATIONS)    /* more iterations: the limit of the caller has ended them */  \
    X(DIAGONAL)      /* the rows whose diagonal entry is zero */                    \
    X(NODES)         /* vks_amg_options.block or coordinates: A has several unknowns at a node */

#define VKS_HINT_ENUM_(NAME) VKS_HINT_##NAME,
typedef enum vks_hint { VKS_HINTS(VKS_HINT_ENUM_) VKS_HINT_COUNT_ } vks_hint;
#undef VKS_HINT_ENUM_

/* The interface whose options a text names: C, the command, or the package for Python. */
typedef enum vks_language { VKS_FOR_C, VKS_FOR_COMMAND, VKS_FOR_PYTHON } vks_language;

/* Writes the suggestions of report->hints, a line for each hint, such as "VKS_METHOD_LSMR finds a
 * least-squares solution"; "" if there is none. text has `size` bytes, and always ends with a 0. VKS_LIMIT:
 * it is truncated. VKS_INVALID_ARGUMENT: no such language. */
static inline vks_status vks_solve_hints(const vks_solve_report *report, vks_language language, char *text,
                                         size_t size);
VKS_CALL(vks_solve_hints, (report, language, text, size), const vks_solve_report *report,
         vks_language language, char *text, size_t size)

/* Writes which iterations ran, attempt by attempt: "468 iterations of cg with jacobi, then 5 of cg with
 * amg/f32". 2 KiB have room for all attempts. VKS_LIMIT: the text is truncated. VKS_OUT_OF_MEMORY. */
static inline vks_status vks_solve_course(const vks_solve_report *report, char *text, size_t size);
VKS_CALL(vks_solve_course, (report, text, size), const vks_solve_report *report, char *text, size_t size)

/* Writes the report, as `vksolve solve` prints it, from the data in the struct: how the solve ended, hints
 * and warnings, the method and its attempts, multigrid's levels, times, iterations and residuals. 8 KiB have
 * room for every report. VKS_LIMIT: the text is truncated. VKS_INVALID_ARGUMENT: no such language.
 * VKS_OUT_OF_MEMORY. */
static inline vks_status vks_solve_report_text(const vks_solve_report *report, vks_language language,
                                               char *text, size_t size);
VKS_CALL(vks_solve_report_text, (report, language, text, size), const vks_solve_report *report,
         vks_language language, char *text, size_t size)

#ifdef __cplusplus
}
#endif
#endif
