/* The inverse of the diagonal of A, for the Jacobi preconditioner and the Jacobi iteration. */
#ifndef VKS_SOLVERS_DIAGONAL_H
#define VKS_SOLVERS_DIAGONAL_H

#include "solvers/finding.h"
#include "solvers/precond.h"

/* Takes a vector for it, in precision p. */
struct vec diagonal_room(struct room *w, const vks_matrix *A, enum precision p);

/* Fills d with 1 / the diagonal of A, in d's precision. f refuses A if an entry is zero, not finite or, with
 * `positive`, negative, and names the first such row. *same tells whether all are equal. May be repeated. */
vks_status diagonal_invert(struct device *device, const vks_matrix *A, bool positive, struct vec d,
                           bool *same, struct finding *f);

#endif
