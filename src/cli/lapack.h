/* Direct solution on the CPU with LAPACK, for `--compare lapack`. */
#ifndef VKS_CLI_LAPACK_H
#define VKS_CLI_LAPACK_H

#include "sparse/host_csr.h"
#include <stdbool.h>

struct lapack_result {
    /* "dense Cholesky (dpotrf)", "dense LU (dgetrf)", "banded Cholesky (dpbtrf)" or "banded LU (dgbtrf)": the
     * last one tried; "none" when none was. A static string. */
    const char *method;
    bool solved;
    /* Why it was not solved, or, where LU stepped in for Cholesky, why; else empty. */
    char note[256];
    double seconds;       /* wall clock, from the order of the unknowns to x */
    double memory_bytes;  /* of the factor, its pivots and the work vectors; 0 when nothing was tried */
    double true_residual; /* ||b - A x|| / ||b|| in double, 0/0 = 0; NaN when LAPACK gave no x */
    uint32_t bandwidth; /* the larger half-width of the band in the order used for it; 0 when not looked at */
};

/* Solves A x = b for a square matrix. b and x have a->rows elements and do not overlap; x is undefined unless
 * out->solved. symmetric_positive says that A is symmetric (this is not checked: only one triangle is read)
 * and that Cholesky is to be tried first; where the matrix turns out not positive definite, LU follows in the
 * same storage.
 *
 * The choice is by floating-point operations: n^3 / 3 for dense Cholesky, 2 n^3 / 3 for dense LU; for a band
 * of half-widths l (below) and u (above) n l^2 and, with the fill-in of pivoting, 2 n l (l + u). The factors
 * take 8 n^2 bytes dense, 8 n (l + 1) and 8 n (2 l + u + 1) banded. The band is that of the natural or of the
 * reverse Cuthill-McKee order, whichever is cheaper. Of dense and banded, the one with fewer operations among
 * those that fit is taken. To fit means: all memory, that of the ordering included, is within memory_limit
 * (bytes), and the array has at most 2^31 - 1 elements, since LAPACK counts in 32 bits. This is decided
 * before anything large is allocated.
 *
 * Returns VKS_OK also where the system was not solved; out->note says why: neither fits; the matrix is
 * singular, exactly or to working precision (a true residual above 0.1); a value is not finite; no
 * library has LAPACK's C interface. "pivot" counts from 1 as in LAPACK; rows and columns are those of A, from
 * 0. VKS_INVALID_ARGUMENT: not square; VKS_OUT_OF_MEMORY.
 *
 * Anderson et al., LAPACK Users' Guide, 3rd edition, SIAM 1999; Golub and Van Loan, Matrix Computations, 4th
 * edition, section 4.3 (bands). */
vks_status lapack_solve(struct message *m, const struct host_csr *a, bool symmetric_positive, const double *b,
                        double *x, size_t memory_limit, struct lapack_result *out);

#endif
