/* UMFPACK, loaded on demand and never linked. Its functions take plain arrays and are the same in versions 5
 * and 6. They print nothing, keep no state outside their arguments, and may run in several threads at once.
 * Indices have 64 bits, so that fill is not limited to 2^31 entries.
 *
 * T. A. Davis, "Algorithm 832: UMFPACK V4.3, an unsymmetric-pattern multifrontal method", ACM Transactions on
 * Mathematical Software 30 (2004); UMFPACK User Guide. */
#ifndef VKS_DIRECT_UMFPACK_H
#define VKS_DIRECT_UMFPACK_H

#include "report/message.h"
#include <stdint.h>

/* The lengths of UMFPACK's arrays of settings and results, and indices into them. */
enum { UMFPACK_CONTROL = 20, UMFPACK_INFO = 90 };
enum { UMFPACK_IRSTEP = 7 };
enum { UMFPACK_LNZ = 43, UMFPACK_UNZ = 44, UMFPACK_UDIAG_NZ = 66, UMFPACK_RCOND = 67 };
/* Results of the analysis: bytes of a memory unit; the strategy; bounds for any pivots, with memory in units;
 * and counts of factors with diagonal pivots, which the symmetric strategy prefers. */
enum { UMFPACK_SIZE_OF_UNIT = 3, UMFPACK_STRATEGY_USED = 18 };
enum { UMFPACK_PEAK_MEMORY_ESTIMATE = 21, UMFPACK_FLOPS_ESTIMATE = 22 };
enum { UMFPACK_LNZ_ESTIMATE = 23, UMFPACK_UNZ_ESTIMATE = 24 };
enum { UMFPACK_SYMMETRIC_LUNZ = 36, UMFPACK_SYMMETRIC_FLOPS = 37, UMFPACK_STRATEGY_SYMMETRIC = 3 };
/* Its return codes; all others are errors too. */
enum { UMFPACK_OK = 0, UMFPACK_WARNING_SINGULAR = 1, UMFPACK_ERROR_OUT_OF_MEMORY = -1 };
/* Selects the transposed system. */
enum { UMFPACK_TRANSPOSED = 1 };

/* X(name, type, arguments). Matrices are in compressed column form. */
#define UMFPACK_FUNCTIONS(X)                                                                            \
    X(defaults, void, (double *control))                                                                \
    X(symbolic, int,                                                                                    \
      (int64_t rows, int64_t cols, const int64_t *col_start, const int64_t *row, const double *val,     \
       void **symbolic, const double *control, double *info))                                           \
    X(numeric, int,                                                                                     \
      (const int64_t *col_start, const int64_t *row, const double *val, void *symbolic, void **numeric, \
       const double *control, double *info))                                                            \
    X(solve, int,                                                                                       \
      (int system, const int64_t *col_start, const int64_t *row, const double *val, double *x,          \
       const double *b, void *numeric, const double *control, double *info))                            \
    X(free_symbolic, void, (void **symbolic))                                                           \
    X(free_numeric, void, (void **numeric))

struct umfpack {
    void *handle;
#define UMFPACK_MEMBER_(name, type, arguments) type(*name) arguments;
    UMFPACK_FUNCTIONS(UMFPACK_MEMBER_)
#undef UMFPACK_MEMBER_
};

/* The message if the library is missing. */
#define UMFPACK_MISSING \
    "UMFPACK is not installed (Debian: apt install libumfpack6, or on Debian 12 libumfpack5)"

/* Opens the library named by the environment variable VKSOLVE_UMFPACK, else the usual one. VKS_UNSUPPORTED:
 * no library with all the functions; VKS_OUT_OF_MEMORY: the usual library is not opened, because address
 * space is short. The library stays open, because the threads of its BLAS would not survive closing it. */
vks_status umfpack_open(struct message *m, struct umfpack *u);

#endif
