/* How dominant the diagonal of A is. */
#ifndef VKS_SOLVERS_SYSTEM_DOMINANCE_H
#define VKS_SOLVERS_SYSTEM_DOMINANCE_H

#include "sparse/matrix.h"

/* Largest and smallest ratio of a row's off-diagonal entries to its diagonal entry, by sums of magnitudes,
 * and the row of the largest. */
struct dominance {
    double worst, best;
    uint32_t worst_row;
};

/* In precision p. */
vks_status dominance_measure(struct device *d, const vks_matrix *A, enum precision p, struct dominance *out);

#endif
