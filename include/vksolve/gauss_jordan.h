/* vksolve/gauss_jordan.h -- dense linear systems and inverses, by Gauss-Jordan elimination with partial
 * pivoting.
 *
 * The elimination is blocked: panels of 128 columns are eliminated column by column, and products of dense
 * matrices update the other columns. All data stay on the device; the host reads the outcome of four panels
 * while the next ones run. The pivot of a column is its largest element in magnitude among the rows without a
 * pivot, the first one if several are equal. Rows are not exchanged, so among equal elements LAPACK may
 * choose another. The bits are the same on every device that passes vks_context_selftest.
 *
 * Sources: N. J. Higham, "Accuracy and stability of numerical algorithms", 2nd ed. (2002), sections 14.3 and
 * 14.4; for the estimate of the condition number N. J. Higham, "FORTRAN codes for estimating the one-norm of
 * a real or complex matrix", ACM TOMS 14 (1988).
 *
 * Threads: see vksolve/context.h. */
#ifndef VKSOLVE_GAUSS_JORDAN_H
#define VKSOLVE_GAUSS_JORDAN_H

#include "vksolve/dense.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Up to this order a solve always estimates the condition number. */
#define VKS_GAUSS_JORDAN_SMALL 512u

typedef struct vks_gauss_jordan_options {
    /* The largest number of iterative refinement steps in a solve (N. J. Higham, as above, chapter 12), each
     * in the precision of A; refinement stops when the backward error no longer halves. Default 20. Without
     * refinement, residuals grow with the condition number of A; one or two steps usually make them as small
     * as LAPACK's, up to condition numbers near 1 / u. */
    uint32_t refinements;
    int no_refinement;
    int condition; /* 1: a solve estimates the reciprocal condition number at any order, at the cost of up to
                      ten more solves with the eliminated matrix. After STAGNATED a solve always estimates it,
                      and so does every inversion */
    int no_condition; /* 1: never estimate it in a solve */
} vks_gauss_jordan_options;

/* After a call that failed: reason NOT_RUN, and the context's message in `detail`. */
typedef struct vks_gauss_jordan_report {
    vks_reason reason; /* CONVERGED: solved, or inverted; STAGNATED: refinement does not bring the backward
                          error of a solve below 16 sqrt(n) u, as with nearly singular matrices; SINGULAR: a
                          pivot is zero, or one right-hand side has no solution where A is singular to the
                          rounding of its entries, n up to VKS_GAUSS_JORDAN_SMALL (if it has many, X is one of
                          them, and the warning says so); NOT_FINITE, NOT_RUN */
    char detail[256];  /* the reason in words, with columns counted from 1; "": nothing to add */
    char warning[160]; /* such as "nearly singular", with the estimate; "": none */
    uint32_t column; /* SINGULAR: the one that depends on earlier columns; NOT_FINITE: the first with such an
                        element; UINT32_MAX: none */
    double least_pivot, largest_pivot; /* in magnitude; NaN: none */
    uint32_t least_pivot_column;
    int determinant_sign;        /* -1, 0 or 1 */
    double determinant_log;      /* of the magnitude, to base e; -infinity for 0 */
    double reciprocal_condition; /* 1 / (||A|| ||A^-1||) in the 1-norm; after a solve an estimate, rarely more
                                    than three times too large; NaN: not requested, or not available */
    uint32_t refinements;
    double residual;       /* of a solve: the largest ||b - A x|| / ||b|| over all right-hand sides; */
    double backward_error; /* the largest ||b - A x|| / (||A|| ||x|| + ||b||). Both use the 1-norm, computed
                              in A's precision; NaN for an inversion */
    double seconds;
} vks_gauss_jordan_report;

/* Solves A X = B, A n x n; B is n x m, each column a right-hand side, and becomes X. After SINGULAR or
 * NOT_FINITE, B is unchanged. The device needs memory for a copy of A, four copies of B, 512 rows of the
 * wider of the two, and about 280 columns of A. options and report may be NULL; only the report has the
 * reason, such as SINGULAR. VKS_INVALID_ARGUMENT: shapes, precisions or contexts do not fit. VKS_LIMIT,
 * VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY, VKS_DEVICE_LOST, VKS_TIMEOUT: B is then undefined. */
static inline vks_status vks_gauss_jordan_solve(const vks_dense *A, vks_dense *B,
                                                const vks_gauss_jordan_options *options,
                                                vks_gauss_jordan_report *report);
VKS_CALL(vks_gauss_jordan_solve, (A, B, options, report), const vks_dense *A, vks_dense *B,
         const vks_gauss_jordan_options *options, vks_gauss_jordan_report *report)

/* The same for one right-hand side; x may be b. */
static inline vks_status vks_gauss_jordan_solve_vector(const vks_dense *A, const vks_vector *b, vks_vector *x,
                                                       const vks_gauss_jordan_options *options,
                                                       vks_gauss_jordan_report *report);
VKS_CALL(vks_gauss_jordan_solve_vector, (A, b, x, options, report), const vks_dense *A, const vks_vector *b,
         vks_vector *x, const vks_gauss_jordan_options *options, vks_gauss_jordan_report *report)

/* *inverse becomes the inverse of A, n x n, with a leading dimension of n; after SINGULAR, NOT_FINITE (also
 * if the inverse overflows) or a failure it is NULL. The device needs memory for two matrices of the size of
 * A, 512 of its rows, and about 280 of its columns. Arguments and errors as above. */
static inline vks_status vks_gauss_jordan_invert(const vks_dense *A, vks_dense **inverse,
                                                 const vks_gauss_jordan_options *options,
                                                 vks_gauss_jordan_report *report);
VKS_CALL(vks_gauss_jordan_invert, (A, inverse, options, report), const vks_dense *A, vks_dense **inverse,
         const vks_gauss_jordan_options *options, vks_gauss_jordan_report *report)

/* Short names. A program that has such a name defines VKS_NO_SHORT_NAMES before it includes this header. */
#ifndef VKS_NO_SHORT_NAMES
static inline vks_status gauss_jordan_solve(const vks_dense *A, vks_dense *B,
                                            const vks_gauss_jordan_options *options,
                                            vks_gauss_jordan_report *report)
{
    return vks_gauss_jordan_solve(A, B, options, report);
}

static inline vks_status gauss_jordan_invert(const vks_dense *A, vks_dense **inverse,
                                             const vks_gauss_jordan_options *options,
                                             vks_gauss_jordan_report *report)
{
    return vks_gauss_jordan_invert(A, inverse, options, report);
}
#endif

#ifdef __cplusplus
}
#endif
#endif
