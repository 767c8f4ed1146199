/* Weights of the rows of A, for a norm in which rows of small entries count as much as others: 1 / D, where D
 * are the largest magnitudes of the rows, rounded to powers of two. */
#ifndef VKS_SOLVERS_RESIDUAL_ROW_WEIGHTS_H
#define VKS_SOLVERS_RESIDUAL_ROW_WEIGHTS_H

#include "solvers/residual.h"

/* Measures the rows of A, and makes weights of them if these may be wanted. A is where the residual is
 * computed. */
vks_status rows_take(struct residual *e);
/* Decides whether there is a scaled norm, by the rows of this process or, with partners, those of all. */
vks_status rows_settle(struct residual *e);

/* The range of the rows of a matrix with entries, and the rows at its ends. */
vks_status row_extent_of(const vks_matrix *A, struct row_extent *out);
/* Largest over least; 1 without entries. */
double row_extent_range(const struct row_extent *rows);

/* Measures the rows of a CSR on its device. The values are stored in precision p. `words` gets the magnitudes
 * of the rows (shaders/sparse/row_magnitudes.comp). */
vks_status row_extent_measure(struct device *d, const struct csr *A, enum precision p, u32s words,
                              struct row_extent *out);
/* Finds the first rows of the least and of the largest of n magnitudes, which are in `from`. */
vks_status row_extent_find(struct device *d, const struct memory *from, uint32_t n,
                           struct row_extent *extent);

#endif
