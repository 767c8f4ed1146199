/* LU factors of a sparse matrix by UMFPACK: analysed once for a pattern, made for each set of values, and
 * kept.
 *
 *     lu_analyse    an order of the unknowns, and what factors would cost
 *     lu_make       the factors of some values
 *     lu_apply      x = A^-1 b
 *     lu_free       also after a failure */
#ifndef VKS_DIRECT_LU_H
#define VKS_DIRECT_LU_H

#include "direct/umfpack.h"
#include "entries/host_csr.h"
#include <stdbool.h>

/* What an analysis promises of both factors. If UMFPACK expects pivots on the diagonal, these are the counts
 * of such factors, which grow where that fails; otherwise parts of its bounds for any pivots. */
struct lu_counts {
    double entries, flops, bytes;
};

/* A in CSR is A^T in CSC: UMFPACK gets that, and solves the transposed system of its factors. */
struct lu {
    struct umfpack library;
    uint32_t n;
    int64_t *start, *index;
    const double *val; /* of the factors; they belong to the caller */
    void *symbolic, *numeric;
    bool is_fresh; /* the analysis has seen the values that the factors will be of */
    struct lu_counts promised;
    uint32_t zero_pivots;
    double entries, reciprocal_condition; /* of both factors; the least pivot over the largest */
    double control[UMFPACK_CONTROL], info[UMFPACK_INFO];
};

/* A square with at least one row. *f is overwritten. VKS_UNSUPPORTED: UMFPACK is missing; VKS_OUT_OF_MEMORY;
 * VKS_LIMIT: UMFPACK fails for another reason. */
vks_status lu_analyse(struct message *m, const struct host_csr *a, struct lu *f);
/* Replaces the factors. `a` has the pattern that was analysed, and is used by later calls. The values may be
 * others: where the order that was found for the former ones leads to zero pivots, A is analysed again.
 * VKS_OUT_OF_MEMORY, VKS_LIMIT: there are no factors then. */
vks_status lu_make(struct message *m, const struct host_csr *a, struct lu *f);
/* x = A^-1 b. Unknowns whose pivot is zero, and whose quotient is not finite, become 0. */
vks_status lu_apply(struct message *m, struct lu *f, const double *b, double *x);
void lu_free(struct lu *f);

#endif
