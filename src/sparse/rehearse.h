/* A small matrix that resembles a given one, for rehearsals (device/rehearsal.h). */
#ifndef VKS_SPARSE_REHEARSE_H
#define VKS_SPARSE_REHEARSE_H

#include "device/rehearsal.h"
#include "entries/host_csr.h"
#include "sparse/matrix.h"

/* The pattern of n consecutive rows of a matrix, with columns folded into n. */
struct sample {
    uint32_t whole; /* rows of the matrix */
    uint32_t n, first;
    uint32_t *row, *col;
    vks_precision precision;
    vks_format_options storage;
};

/* Samples the CSR of A, or validated arrays of a matrix about to be made. False: no sample was taken, because
 * A is small or has no CSR, or memory is short. */
bool sample_take(const vks_matrix *A, struct sample *out);
bool sample_take_host(const struct host_csr *a, const vks_matrix_options *o, struct sample *out);
void sample_free(struct sample *s);

/* Makes a symmetric positive definite matrix with the pattern, on a stand-in, in the format of A. */
vks_status sample_matrix(const struct sample *s, vks_context *stand_in, vks_matrix **out);

/* The key for rehearsing the set-up of a matrix's format. */
uint64_t rehearsal_of_format(const vks_matrix_options *o);
/* Rehearses setting up the format of a matrix with these validated arrays. */
void rehearse_format(vks_context *c, const struct host_csr *a, const vks_matrix_options *o);

#endif
