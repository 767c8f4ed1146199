/* vksolve/reorder.h -- an order of the unknowns that moves the entries of a matrix towards its diagonal.
 *
 * With order[new] = old and place[old] = new, the matrix P A P^T has the entry (i, j) of A at (place[i],
 * place[j]), and A x = b becomes (P A P^T) (P x) = P b, where element i of P b is b[order[i]]. If the entries
 * lie near the diagonal, a product finds x in caches. From arrays in any order:
 *
 *     vks_reorder_rcm(n, row, col, order);
 *     for (i = 0; i < n; i++) place[order[i]] = i, pb[i] = b[order[i]];
 *     for each entry: place[its row], place[its column], its value; vks_matrix_from_coo
 *     options.order = order;                  (vks_solve_options: messages then name rows of A)
 *     vks_solve
 *     for (i = 0; i < n; i++) x[order[i]] = px[i];
 *
 * `vksolve solve --reorder rcm` does this for a file. Threads: any at the same time. */
#ifndef VKSOLVE_REORDER_H
#define VKSOLVE_REORDER_H

#include "vksolve/status.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The reverse Cuthill-McKee order of a square matrix, whose pattern is given in CSR by host arrays: row has
 * rows + 1 offsets, col the columns, ascending within a row; both are only read. order, of `rows` elements,
 * becomes a permutation: order[new] = old.
 *
 * The graph has an edge i-j wherever a_ij or a_ji is stored. Its connected components are numbered one after
 * the other, breadth first from a pseudoperipheral vertex, neighbours by ascending degree; then the order is
 * reversed. Ties go to the lower index, so the order is the same on every machine. It may be worse than a
 * good natural order. Time and memory are linear: at most 24 searches of a component, 12 bytes an entry and
 * 25 a row, in one thread.
 *
 * Sources: E. Cuthill, J. McKee, "Reducing the bandwidth of sparse symmetric matrices" (1969); A. George,
 * "Computer implementation of the finite element method" (1971), the reversal; N. E. Gibbs, W. G. Poole,
 * P. K. Stockmeyer, "An algorithm for reducing the bandwidth and profile of a sparse matrix" (1976), and
 * A. George, J. W. H. Liu, "An implementation of a pseudoperipheral node finder" (1979), the first vertex.
 *
 * VKS_INVALID_ARGUMENT: a needed pointer is NULL, the offsets do not begin with 0 or they descend, a column
 * is not below `rows`, or columns of a row do not ascend. VKS_LIMIT: more than 2^31 - 1 rows, or more than
 * VKS_LARGEST_INDEX entries. VKS_OUT_OF_MEMORY. After a failure order is unchanged. */
vks_status vks_reorder_rcm(uint32_t rows, const uint32_t *row, const uint32_t *col, uint32_t *order) VKS_API;

#ifdef __cplusplus
}
#endif
#endif
