/* LU factors of a sparse matrix by UMFPACK. A pattern is analysed once; factors are made for each set of
 * values and kept.
 *
 *     lu_analyse    an order of the unknowns, and the expected cost of factors
 *     lu_make       the factors of a set of values
 *     lu_apply      x = A^-1 b
 *     lu_free       also after a failure */
#ifndef VKS_DIRECT_LU_H
#define VKS_DIRECT_LU_H

#include "direct/umfpack.h"
#include "entries/host_csr.h"
#include <stdbool.h>

/* The expected counts of both factors. If UMFPACK expects pivots on the diagonal, they hold for such factors
 * and grow if other pivots are needed. Otherwise they are fractions of its bounds. */
struct lu_counts {
    double entries, flops, bytes;
};

/* A in CSR is A^T in CSC: UMFPACK factors A^T and solves the transposed system. */
struct lu {
    struct umfpack library;
    uint32_t n;
    int64_t *start, *index;
    const double *val; /* the factored values; owned by the caller */
    void *symbolic, *numeric;
    bool is_fresh; /* the analysis used the values to be factored */
    struct lu_counts promised;
    uint32_t zero_pivots;
    double entries, reciprocal_condition; /* of both factors; the least pivot over the largest */
    double control[UMFPACK_CONTROL], info[UMFPACK_INFO];
};

/* Analyses a square matrix with at least one row. Overwrites *f. VKS_UNSUPPORTED: UMFPACK is missing;
 * VKS_OUT_OF_MEMORY; VKS_LIMIT: UMFPACK fails for another reason. */
vks_status lu_analyse(struct message *m, const struct host_csr *a, struct lu *f);
/* Replaces the factors. `a` must have the analysed pattern, and later calls use it. Its values may differ; A
 * is analysed again if the order for earlier values leads to zero pivots. After VKS_OUT_OF_MEMORY or
 * VKS_LIMIT there are no factors. */
vks_status lu_make(struct message *m, const struct host_csr *a, struct lu *f);
/* x = A^-1 b. Unknowns with a zero pivot and a non-finite quotient become 0. */
vks_status lu_apply(struct message *m, struct lu *f, const double *b, double *x);
void lu_free(struct lu *f);

#endif
