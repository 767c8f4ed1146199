/* Reverse Cuthill-McKee (see vksolve/reorder.h): an order of the unknowns that moves the entries near the
 * diagonal, so that a banded factorization is small and products find x in caches.
 *
 * A. George, J. W. H. Liu, Computer Solution of Large Sparse Positive Definite Systems, Prentice-Hall 1981,
 * chapter 4 (section 4.3.2: the start vertex; 4.3.1: the ordering). */
#ifndef VKS_ENTRIES_RCM_H
#define VKS_ENTRIES_RCM_H

#include "entries/host_csr.h"
#include "vksolve/reorder.h"

/* Distances of entries from the diagonal: the largest i - j below it, the largest j - i above it, and the
 * mean of |i - j|; zero if there are none. */
struct band {
    uint32_t lower, upper;
    double mean;
};

/* Writes the order to perm[0..rows-1]: perm[new] = old. Reads only the pattern of the square matrix. Takes
 * O(entries + rows): a bounded number of breadth-first searches of each component. VKS_INVALID_ARGUMENT: not
 * square; VKS_LIMIT: more than 2^31 - 1 rows, as searches are numbered in 32 bits; VKS_OUT_OF_MEMORY. */
vks_status rcm_order(struct message *m, const struct host_csr *pattern, uint32_t *perm);

/* The most host memory, in bytes, that rcm_order() uses. */
double rcm_memory(const struct host_csr *pattern);

/* place[old] = new for perm[new] = old. */
void rcm_invert(uint32_t rows, const uint32_t *perm, uint32_t *place);

/* The band of the square matrix after row and column `old` move to place[old]; place NULL: nothing moves. */
struct band rcm_band(const struct host_csr *pattern, const uint32_t *place);

/* P A P^T: row and column `old` of the square matrix move to place[old]. The caller owns *out, which is
 * zeroed on failure. Needs 24 bytes per entry temporarily. VKS_OUT_OF_MEMORY. */
vks_status host_csr_permute(struct message *m, const struct host_csr *a, const uint32_t *place,
                            struct host_csr *out);

#endif
