/* The diagonal of A, inverted: the Jacobi preconditioner, and what the Jacobi iteration divides by. */
#ifndef VKS_SOLVERS_DIAGONAL_H
#define VKS_SOLVERS_DIAGONAL_H

#include "solvers/finding.h"
#include "solvers/precond.h"

/* Room for it, of A's rows in precision p. */
struct vec diagonal_room(struct room *w, const vks_matrix *A, enum precision p);

/* Fills d with 1 / the diagonal of A, in d's precision. f refuses A where an entry is zero or not finite or,
 * where `positive`, negative, and names the first such row. *same: all are equal. May be repeated. */
vks_status diagonal_invert(struct device *device, const vks_matrix *A, bool positive, struct vec d,
                           bool *same, struct finding *f);

#endif
