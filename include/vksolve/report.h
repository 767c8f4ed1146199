/* vksolve/report.h -- the report of a solve as text, and what to try next. vksolve/solver.h brings it.
 *
 * The calls need no context, and may be made by any thread. */
#ifndef VKSOLVE_REPORT_H
#define VKSOLVE_REPORT_H

#include "vksolve/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(NAME): what to try after a solve that failed or was slow. vks_solve_hints has it in words. */
#define VKS_HINTS(X)                                                                    \
    X(TOLERANCE)     /* a larger tolerance, or f64: f32 reached no more */              \
    X(F64)           /* f64: the vectors were in f32 */                                 \
    X(NOT_IN_F32)    /* iterations in f64: they were in f32 */                          \
    X(HOST)          /* a device with 64-bit floats: this one has none */               \
    X(NULL_SPACE)    /* vks_solve_options.singular: the rows of A sum to zero */        \
    X(NO_NULL_SPACE) /* a solve without vks_solve_options.singular */                   \
    X(LEAST_SQUARES) /* LSMR: A is singular */                                          \
    X(DIRECT)        /* sparse factors: the automatic method has given up */            \
    X(INDEFINITE)    /* MINRES or IDR: CG has met an A that is not positive definite */ \
    X(AUTOMATIC)     /* the automatic method, in place of the one that was named */     \
    X(ITERATIONS)    /* more iterations: the limit of the caller has ended them */      \
    X(DIAGONAL)      /* a look at the rows whose diagonal entry is zero */              \
    X(NODES)         /* vks_amg_options.block or coordinates: A has several unknowns at a node */

#define VKS_HINT_ENUM_(NAME) VKS_HINT_##NAME,
typedef enum vks_hint { VKS_HINTS(VKS_HINT_ENUM_) VKS_HINT_COUNT_ } vks_hint;
#undef VKS_HINT_ENUM_

/* Whose options a text names: those of C, of the command, or of the package for Python. */
typedef enum vks_language { VKS_FOR_C, VKS_FOR_COMMAND, VKS_FOR_PYTHON } vks_language;

/* Writes what to try next by report->hints, a line for each hint, such as "VKS_METHOD_LSMR finds a
 * least-squares solution"; "" if there is none. text has `size` bytes, and always ends with a 0. VKS_LIMIT:
 * it is cut. VKS_INVALID_ARGUMENT: no such language. */
VKS_CALL(vks_solve_hints, (report, language, text, size), const vks_solve_report *report,
         vks_language language, char *text, size_t size)

/* Writes which iterations ran, attempt by attempt: "468 iterations of cg with jacobi, then 5 of cg with
 * amg/f32". 2 KiB have room for all attempts. VKS_LIMIT: it is cut. VKS_OUT_OF_MEMORY. */
VKS_CALL(vks_solve_course, (report, text, size), const vks_solve_report *report, char *text, size_t size)

/* Writes the report, as `vksolve solve` prints it, of what the report knows: how the solve ended, hints and
 * warnings, the method and its attempts, multigrid's levels, times, iterations and residuals. 8 KiB have room
 * for every report. VKS_LIMIT: it is cut. VKS_INVALID_ARGUMENT: no such language. VKS_OUT_OF_MEMORY. */
VKS_CALL(vks_solve_report_text, (report, language, text, size), const vks_solve_report *report,
         vks_language language, char *text, size_t size)

#ifdef __cplusplus
}
#endif
#endif
