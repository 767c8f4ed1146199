/* The null space of an A that is declared singular, and the projection orthogonal to it. */
#ifndef VKS_SOLVERS_RESIDUAL_PROJECTION_H
#define VKS_SOLVERS_RESIDUAL_PROJECTION_H

#include "operator/operator.h"
#include "vector/verbs.h"
#include "vksolve/solver.h"

struct projection {
    struct device *device;
    struct message *message;
    const vks_matrix *A;
    struct vec x; /* of the solve */
    struct room room;
    struct vec wide;     /* orthonormal columns in doubles */
    struct vec beside_x; /* the same in the precision of x */
    struct memory parts; /* host-visible: a component for each vector, and as many for A x */
    double image;        /* the largest ||A v|| */
    double deviation;    /* `image` relative to the entries of A */
    struct reduction sums;
    struct rec of_x; /* removes the components of x */
};

/* Makes the null space of the options orthonormal, and prepares the projection of x. The caller calls
 * projection_close, also after a failure. */
vks_status projection_open(struct projection *z, const vks_matrix *A, struct vec x,
                           const vks_solve_options *o);
void projection_close(struct projection *z); /* accepts a zeroed struct */
/* Refuses the vectors if A times one is not zero, for A's current values. The caller holds its CSR. */
vks_status projection_check(struct projection *z, bool ones);
/* Records y - N (N^T y), and stores the components of y in `parts`. */
void projection_apply(struct rec *r, const struct projection *z, struct vec y);
/* Records the measurement of the components of A x; reads their norm after the recording has run. */
void projection_measure_image(struct rec *r, const struct projection *z, struct vec image);
double projection_part_of_image(const struct projection *z);

#endif
