/* Finds on the device whether a square matrix is symmetric, and the signs of its diagonal. */
#ifndef VKS_SPARSE_SYMMETRY_MEASURE_H
#define VKS_SPARSE_SYMMETRY_MEASURE_H

#include "sparse/matrix.h"

/* Each member is the first row with the property, or UINT32_MAX. */
struct symmetry {
    uint32_t unequal;  /* with an entry that differs from its mirror image by more than rounding: by 2^-40, in
                          f32 2^-20, times the larger of the two, and times the root of |a_ii a_jj| */
    uint32_t zero;     /* with a diagonal entry that is zero or missing */
    uint32_t negative; /* with a diagonal entry below zero */
    uint32_t positive; /* with a diagonal entry above zero */
};

/* Requires the CSR of A to be held. The result is the same on every device. */
vks_status symmetry_measure(const vks_matrix *A, struct symmetry *out);

#endif
