/* A matrix for work in f32, whose magnitudes keep it and its inverse in range: A, or A times a power of two.
 * The scaling is exact, so iterations are those of A. */
#ifndef VKS_SOLVERS_SYSTEM_ORDINARY_H
#define VKS_SOLVERS_SYSTEM_ORDINARY_H

#include "sparse/matrix.h"

/* Exponent of a power of two that brings the magnitudes of A into that range, 0 if they are in it. The caller
 * holds the CSR of A. The exponent is even, so that square roots of the scale are powers of two. */
vks_status ordinary_shift(const vks_matrix *A, int *shift);

struct ordinary {
    const vks_matrix *given;
    const vks_matrix *A; /* given times 2^shift: given itself if shift is 0, otherwise copy */
    vks_matrix *copy;
    int shift;
    struct room room;
    struct memory places, sample; /* positions and values of the sample, which has the median magnitude */
    struct rec gather;
    uint32_t count; /* size of the sample; 0: A has no entries, or is in pairs of floats */
};

/* The caller holds the CSR of A. The CSR of a copy is held until ordinary_close, also after a failure.
 * Operators and pairs of floats are not scaled. */
vks_status ordinary_open(const vks_matrix *A, struct ordinary *o);
/* Updates to new values. *moved: they need a copy, and none exists. */
vks_status ordinary_refresh(struct ordinary *o, bool *moved);
uint64_t ordinary_bytes(const struct ordinary *o);
void ordinary_close(struct ordinary *o);

#endif
