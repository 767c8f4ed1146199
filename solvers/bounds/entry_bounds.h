/* Bounds of the eigenvalues of D^-1 A, where D is the diagonal of A, from the magnitudes of its entries. */
#ifndef VKS_SOLVERS_BOUNDS_ENTRY_BOUNDS_H
#define VKS_SOLVERS_BOUNDS_ENTRY_BOUNDS_H

#include "sparse/matrix.h"

struct entry_bounds {
    struct vec ratios, quotients;
    struct memory range[2]; /* extremes of the ratios and of the quotients */
    struct reduction sums;
};

/* Allocates the memory for the bounds. */
void entry_bounds_room(struct room *w, const vks_matrix *A, enum precision p, struct entry_bounds *b);
/* Records: found[0] = the largest ratio of a row's off-diagonal entries to its diagonal entry, found[1] = the
 * bound of Collatz and Wielandt. Both are rounded to nearest. */
void entry_bounds_record(struct rec *r, const vks_matrix *A, const struct entry_bounds *b, reals found[2]);

#endif
