/* The matrix of what is done in f32 for an A with vectors in f64. */
#ifndef VKS_SOLVERS_ROUNDED_H
#define VKS_SOLVERS_ROUNDED_H

#include "sparse/matrix.h"

/* Whether products in f32 are with values that were rounded: those of a copy, or of an operator's own product
 * in f32. */
bool rounded_is_needed(const vks_matrix *A);
/* *found: A itself where it is an operator or its values are stored in f32; else a copy of A in f32, which A
 * has, or which is made now and then is *copy, too. It is held as CSR unless it is A: rounded_close lets it
 * go, also after a failure. Both are NULL before. A is held. */
vks_status rounded_open(const vks_matrix *A, vks_matrix **copy, const vks_matrix **found);
/* A, which is held, has new values. */
vks_status rounded_refresh(const vks_matrix *A, vks_matrix *copy);
/* Bytes of device memory of a copy; 0 for NULL. */
uint64_t rounded_bytes(const vks_matrix *copy);
void rounded_close(const vks_matrix *A, vks_matrix **copy, const vks_matrix *found);

#endif
