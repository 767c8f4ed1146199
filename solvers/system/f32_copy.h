/* The matrix for work in f32 when A has vectors in f64. */
#ifndef VKS_SOLVERS_SYSTEM_F32_COPY_H
#define VKS_SOLVERS_SYSTEM_F32_COPY_H

#include "sparse/matrix.h"

/* Whether products in f32 use rounded values, either from a copy of A or in an operator's own f32 product. */
bool f32_copy_is_needed(const vks_matrix *A);
/* Sets *found to A itself, if A is an operator or, unless `always`, stores its values in f32; otherwise to a
 * copy in f32, which A has or which is made now. *copy is the copy made, if any. The CSR of a copy is held
 * until f32_copy_close, also after a failure. Both are NULL before. The caller holds the CSR of A. */
vks_status f32_copy_open(const vks_matrix *A, bool always, vks_matrix **copy, const vks_matrix **found);
/* Updates to new values of A, whose CSR the caller holds. */
vks_status f32_copy_refresh(const vks_matrix *A, vks_matrix *copy);
/* Bytes of device memory of a copy; 0 for NULL. */
uint64_t f32_copy_bytes(const vks_matrix *copy);
void f32_copy_close(const vks_matrix *A, vks_matrix **copy, const vks_matrix *found);

#endif
