/* Direct solution on the CPU with LAPACK, for `--compare lapack`. */
#ifndef VKS_COMMAND_LAPACK_LAPACK_H
#define VKS_COMMAND_LAPACK_LAPACK_H

#include "command/lapack/library.h"
#include "entries/host_csr.h"
#include <stdbool.h>

struct lapack_result {
    /* the last method tried: "dense Cholesky (dpotrf)", "dense LU (dgetrf)", "banded Cholesky (dpbtrf)",
     * "banded LU (dgbtrf)" or "orthogonal (dgelsy)"; "none" if none was tried. A static string. */
    const char *method;
    bool solved;
    /* Why it was not solved, or why LU replaced Cholesky; else empty. */
    char note[256];
    double seconds;         /* wall clock, from the order of the unknowns to x */
    double memory_bytes;    /* of the factor, its pivots and the work vectors; 0 if nothing was tried */
    double true_residual;   /* ||b - A x|| / ||b|| in double, 0/0 = 0; NaN if LAPACK gave no x */
    double normal_residual; /* ||A^T r|| / (||A||_F ||r||) of lapack_least_squares, 0/0 = 0; else NaN */
    uint32_t bandwidth; /* the larger half-width of the band in the order used for it; 0 if not computed */
};

/* Solves A x = b for a square matrix. b and x have a->rows elements and do not overlap; x is undefined unless
 * out->solved. symmetric_positive means that A is symmetric (this is not checked: only one triangle is read)
 * and that Cholesky is tried first. If the matrix is not positive definite, LU follows in the same storage.
 *
 * The choice is by floating-point operations: n^3 / 3 for dense Cholesky, 2 n^3 / 3 for dense LU; for a band
 * of half-widths l (below) and u (above) n l^2 and, with the fill-in of pivoting, 2 n l (l + u). The factors
 * take 8 n^2 bytes dense, 8 n (l + 1) and 8 n (2 l + u + 1) banded. The band is taken in the natural or the
 * reverse Cuthill-McKee order, whichever is cheaper. Of the dense and the banded method that fit, the one
 * with fewer operations is used. A method fits if all its memory, including that of the ordering, is within
 * memory_limit (bytes) and the array has at most 2^31 - 1 elements, since LAPACK counts in 32 bits. This is
 * decided before any large allocation.
 *
 * Returns VKS_OK even if the system was not solved; out->note then says why: neither fits; the matrix is
 * singular, exactly or to working precision (a true residual above 0.1); a value is not finite; no library
 * has LAPACK's C interface. "pivot" counts from 1 as in LAPACK; rows and columns are those of A, from 0.
 * VKS_INVALID_ARGUMENT: not square; VKS_OUT_OF_MEMORY.
 *
 * Anderson et al., LAPACK Users' Guide, 3rd edition, SIAM 1999; Golub and Van Loan, Matrix Computations, 4th
 * edition, section 4.3 (bands). */
vks_status lapack_solve(struct message *m, const struct host_csr *a, bool symmetric_positive, const double *b,
                        double *x, size_t memory_limit, struct lapack_result *out);

/* Computes the x of least norm that minimizes ||b - A x||, by dgelsy: QR with column pivoting, and a complete
 * orthogonal factorization if A is rank-deficient. The rank tolerance is max(m, n) times the rounding of a
 * double. A is m x n, of any shape; b has m elements and x n. A takes 8 m n bytes. Returns VKS_OK even if the
 * system was not solved, as above; VKS_OUT_OF_MEMORY. */
vks_status lapack_least_squares(struct message *m, const struct host_csr *a, const double *b, double *x,
                                size_t memory_limit, struct lapack_result *out);

/* Shared by both. The 2-norm, safe against overflow of the squares; NaN or infinity if v holds one. */
double lapack_norm(const double *v, size_t n);
/* False, with the element named in the note, if A or b holds a NaN or an infinity, which LAPACK would not
 * report. */
bool lapack_takes(const struct host_csr *a, const double *b, struct lapack_result *out);
/* Opens the library. False if there is none; the note says so. */
bool lapack_is_there(struct lapack_library *library, struct lapack_result *out);
/* Seconds of a monotonic clock. */
double lapack_now(void);
/* Fills text with "512 bytes", "3.2 MB", "81 GB". */
const char *lapack_bytes(double bytes, char text[32]);

#endif
