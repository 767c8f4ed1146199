/* A small matrix that resembles another one, for rehearsals (device/rehearsal.h). */
#ifndef VKS_SPARSE_REHEARSE_H
#define VKS_SPARSE_REHEARSE_H

#include "device/rehearsal.h"
#include "sparse/matrix.h"

/* The pattern of consecutive rows of A, their columns folded into so many. */
struct sample {
    uint32_t n, first;
    uint32_t *row, *col;
    vks_precision precision;
    vks_format_options storage;
};

/* Takes it from the CSR of A, which is held. False: there is none. */
bool sample_take(const vks_matrix *A, struct sample *out);
void sample_free(struct sample *s);

/* Makes a symmetric positive definite matrix of the pattern, on a stand-in, in the format of A. */
vks_status sample_matrix(const struct sample *s, vks_context *stand_in, vks_matrix **out);

/* Rehearses how a matrix with this CSR gets its format. */
void rehearse_format(const vks_matrix *A, const vks_format_options *wanted);

#endif
