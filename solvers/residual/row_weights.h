/* Weights of the rows of A, for a norm in which rows of small entries count as much as others: 1 / D, where D
 * are the largest magnitudes of the rows, rounded to the nearest powers of two in logarithms. */
#ifndef VKS_SOLVERS_RESIDUAL_ROW_WEIGHTS_H
#define VKS_SOLVERS_RESIDUAL_ROW_WEIGHTS_H

#include "solvers/residual.h"

/* Allocates and records; rows_close frees the weights, also after a failure. */
vks_status rows_open(struct residual *e);
void rows_close(struct residual *e);
/* Measures the rows of A, on the device of the residual, and makes weights if they may be needed. */
vks_status rows_take(struct residual *e);
/* Decides whether there is a scaled norm, from the rows of this process or, with partners, of all. */
vks_status rows_settle(struct residual *e);

/* The range of the rows of a matrix with entries, and the rows at its ends. */
vks_status row_extent_of(const vks_matrix *given, struct row_extent *out);
/* Largest over least, to 16 bits; 1 without entries. */
double row_extent_range(const struct row_extent *rows);

#endif
