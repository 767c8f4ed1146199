/* What the entries of A tell about multigrid: how many are positive, and how many rows have a dominant
 * diagonal. */
#ifndef VKS_SOLVERS_AUTO_SIGNS_H
#define VKS_SOLVERS_AUTO_SIGNS_H

#include "sparse/matrix.h"

/* NaN where entries are not finite or their sums overflow. */
struct signs {
    double positive;  /* the sum of positive entries over that of all magnitudes, both beside the diagonal;
                         0 if there are none */
    double dominated; /* the share of rows whose other entries are below 0.9 times the diagonal entry */
    bool diagonal;    /* there are no entries beside the diagonal */
};

/* In precision p. The CSR of A is held. The same on every device. */
vks_status signs_measure(struct device *d, const vks_matrix *A, enum precision p, struct signs *out);

#endif
