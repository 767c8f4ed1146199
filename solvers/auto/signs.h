/* Signs of the entries of A, which predict how well multigrid works: how many are positive, and how many rows
 * have a dominant diagonal. */
#ifndef VKS_SOLVERS_AUTO_SIGNS_H
#define VKS_SOLVERS_AUTO_SIGNS_H

#include "sparse/matrix.h"

/* NaN if entries are not finite or their sums overflow. */
struct signs {
    double positive; /* sum of positive off-diagonal entries over the sum of all off-diagonal magnitudes; 0 if
                        there are none */
    double dominated; /* share of rows whose off-diagonal magnitudes sum to less than 0.9 times the diagonal
                         entry */
    bool diagonal;    /* there are no off-diagonal entries */
};

/* Measures in precision p. The caller holds the CSR of A. The result is the same on every device. */
vks_status signs_measure(struct device *d, const vks_matrix *A, enum precision p, struct signs *out);

#endif
