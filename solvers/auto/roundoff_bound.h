/* What rounding leaves of a residual. */
#ifndef VKS_SOLVERS_AUTO_ROUNDOFF_BOUND_H
#define VKS_SOLVERS_AUTO_ROUNDOFF_BOUND_H

#include "solvers/method.h"

/* *bound = u || |A||x| + |b| ||, u the unit roundoff of x: a residual b - A x of that norm belongs to an x
 * that solves a system whose entries differ by no more than their rounding errors. N. J. Higham, "Accuracy
 * and Stability of Numerical Algorithms", 2nd ed., theorem 7.3. A has entries, and its CSR is held. The same
 * on every device. VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY. */
vks_status roundoff_bound(const struct equation *q, double *bound);

#endif
