/* A x in double precision, whatever the precision of A: by its CSR, or by an operator's own product. */
#ifndef VKS_SOLVERS_RESIDUAL_IMAGE_H
#define VKS_SOLVERS_RESIDUAL_IMAGE_H

#include "operator/operator.h"

/* y = A x. `rows` is the CSR of A on the device of the recording, which `product` replaces if it is not NULL.
 */
void image_record(struct rec *r, const struct csr *rows, struct user_operator *product, const vks_matrix *A,
                  struct vec x, struct vec y);

#endif
