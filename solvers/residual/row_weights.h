/* Weights of the rows of A, for a norm in which rows of small entries count as much as others: 1 / D, where D
 * has the largest magnitude of each row, rounded to a power of two, the nearest in logarithms. */
#ifndef VKS_SOLVERS_RESIDUAL_ROW_WEIGHTS_H
#define VKS_SOLVERS_RESIDUAL_ROW_WEIGHTS_H

#include "solvers/residual.h"

/* Makes the recording of rows_take; rows_close is required even after a failure. */
vks_status rows_open(struct residual *e);
void rows_close(struct residual *e);
/* Measures the rows of A, on the device of the residual, and makes weights if they may be needed. */
vks_status rows_take(struct residual *e);
/* Decides whether there is a scaled norm, from the rows of this process or, with partners, of all. */
vks_status rows_settle(struct residual *e);

/* The range of the rows of a matrix with entries, and the rows at its ends. */
vks_status row_extent_of(const vks_matrix *given, struct row_extent *out);
/* The largest row magnitude over the smallest, to 16 bits; 1 without entries. */
double row_extent_range(const struct row_extent *rows);

#endif
