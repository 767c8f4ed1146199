/* Inverse diagonals, for preconditioners and for the Jacobi iteration: of A, and of its row sums. */
#ifndef VKS_SOLVERS_SYSTEM_DIAGONAL_H
#define VKS_SOLVERS_SYSTEM_DIAGONAL_H

#include "solvers/diagnosis.h"
#include "solvers/precond.h"

/* Allocates a vector for an inverse diagonal, in precision p. */
struct vec diagonal_room(struct room *w, const vks_matrix *A, enum precision p);

/* Fills d with 1 / the diagonal of A, in d's precision. f refuses A if an entry is zero, not finite or, with
 * `positive`, negative, and names the first such row. *same: whether all are equal. May be repeated. */
vks_status diagonal_invert(struct device *device, const vks_matrix *A, bool positive, struct vec d,
                           bool *same, struct diagnosis *f);

/* Fills d with 1 / the sum of the magnitudes of each row of A, in d's precision. If the sum is zero, the
 * element is 1, and f has a warning. f refuses A at the first sum that is not finite. May be repeated. */
vks_status diagonal_of_row_sums(struct device *device, const vks_matrix *A, struct vec d,
                                struct diagnosis *f);

#endif
