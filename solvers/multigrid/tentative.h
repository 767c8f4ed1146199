/* The tentative prolongator of smoothed aggregation: an orthonormal basis of the rows of B on each aggregate.
 */
#ifndef VKS_MULTIGRID_TENTATIVE_H
#define VKS_MULTIGRID_TENTATIVE_H

#include "solvers/multigrid/members.h"

enum { TENTATIVE_COLUMNS = 32 /* of B, at most */ };

struct tentative {
    const struct members *of; /* its list is filled in before this runs */
    uint32_t size;            /* rows of a node in B and T */
    uint32_t columns;         /* of B and T */
    reals B;                  /* row by row, as are the next ones */
    reals T;                  /* as large as B */
    reals coarse;             /* R: `columns` rows of `columns` elements for each aggregate */
};

/* Computes B = T R on each aggregate, by two passes of Gram-Schmidt in the precision of the recording, see
 * shaders/multigrid/orthogonalise.comp. The columns of T are orthonormal there, except that columns that
 * depend on earlier ones are zero; R has zeros on the diagonal for these. Rows of nodes in no aggregate are
 * not written. More elements than VKS_LARGEST_INDEX in T or R, or more columns than TENTATIVE_COLUMNS, make
 * the recording fail with VKS_LIMIT. */
void orthogonalise(struct rec *r, const struct tentative *t);

#endif
