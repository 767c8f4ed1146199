/* A matrix for work in f32, whose magnitudes are such that neither it nor its inverse leaves the range: A, or
 * A times a power of two. That is exact, so iterations are those of A. */
#ifndef VKS_SOLVERS_SYSTEM_ORDINARY_H
#define VKS_SOLVERS_SYSTEM_ORDINARY_H

#include "sparse/matrix.h"

/* The exponent of a power of two that brings the magnitudes of A, whose CSR the caller holds, to that range,
 * 0 if they are in it. It is even, so scales that are square roots are whole. */
vks_status ordinary_shift(const vks_matrix *A, int *shift);

struct ordinary {
    const vks_matrix *given;
    const vks_matrix *A; /* given times 2^shift: given itself if shift is 0, otherwise copy */
    vks_matrix *copy;
    int shift;
    struct room room;
    struct memory places, sample; /* of some values, which have the median magnitude */
    struct rec gather;
    uint32_t count; /* of these; 0: A has no entries, or is in pairs of floats */
};

/* The caller holds the CSR of A, and that of a copy is held until ordinary_close, also after a failure.
 * Operators and pairs of floats stay as they are. */
vks_status ordinary_open(const vks_matrix *A, struct ordinary *o);
/* Takes new values. *moved: they need a copy, and there is none. */
vks_status ordinary_refresh(struct ordinary *o, bool *moved);
uint64_t ordinary_bytes(const struct ordinary *o);
void ordinary_close(struct ordinary *o);

#endif
