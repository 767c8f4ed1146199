/* A x and b - A x in double precision, whatever the precision of A. */
#ifndef VKS_SOLVERS_RESIDUAL_IMAGE_H
#define VKS_SOLVERS_RESIDUAL_IMAGE_H

#include "operator/operator.h"

/* y = A x. `rows`: CSR of A on the device of the recording; an operator has `product` instead, else NULL. */
void image_record(struct rec *r, const struct csr *rows, struct user_operator *product, const vks_matrix *A,
                  struct vec x, struct vec y);
/* y = b - A x by the CSR of A, or b + A x - x for the fixed point. x and b have the precision of A. */
void image_record_residual(struct rec *r, const struct csr *rows, const vks_matrix *A, struct vec x,
                           struct vec b, struct vec y, bool fixpoint);

#endif
