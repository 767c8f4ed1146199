/* Reverse Cuthill-McKee: an order of the unknowns that gathers the entries near the diagonal, so that a
 * banded factorization is small.
 *
 * The graph has an edge i-j wherever a_ij or a_ji is stored (the pattern of A + A^T), so nonsymmetric
 * patterns are welcome. Each connected component is numbered breadth first from a pseudo-peripheral vertex,
 * neighbours in order of ascending degree; the whole is then reversed. Ties fall to the lower index, so the
 * order is unique.
 *
 * A. George, J. W. H. Liu, Computer Solution of Large Sparse Positive Definite Systems, Prentice-Hall 1981,
 * chapter 4 (sections 4.3.2 the start vertex, 4.3.1 the ordering). */
#ifndef VKS_CLI_RCM_H
#define VKS_CLI_RCM_H

#include "sparse/host_csr.h"

/* How far entries lie from the diagonal: the largest i - j below it and the largest j - i above it. */
struct band {
    uint32_t lower, upper;
};

/* Writes the order to perm[0..rows-1]: perm[new] = old. Only the pattern of the square matrix is read.
 * O(entries + rows) for each breadth-first search; of these there are a few for each component.
 * VKS_INVALID_ARGUMENT: not square; VKS_LIMIT: more than 2^31 - 1 rows, as searches are numbered in 32 bits;
 * VKS_OUT_OF_MEMORY. */
vks_status rcm_order(struct message *m, const struct host_csr *pattern, uint32_t *perm);

/* The host memory in bytes that rcm_order() takes at most. */
double rcm_memory(const struct host_csr *pattern);

/* place[old] = new for perm[new] = old. */
void rcm_invert(uint32_t rows, const uint32_t *perm, uint32_t *place);

/* The band of the square matrix when row and column `old` move to place[old]; place NULL: as it stands. */
struct band rcm_band(const struct host_csr *pattern, const uint32_t *place);

#endif
