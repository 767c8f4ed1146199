/* The exact product for comparisons. */
#ifndef VKS_COMMAND_SPMV_REFERENCE_H
#define VKS_COMMAND_SPMV_REFERENCE_H

#include "entries/host_csr.h"
#include "report/message.h"

/* x, and the exact A x. x is the same in f32 and f64. */
struct spmv_reference {
    uint32_t rows, cols;
    double *x;
    double *y;     /* A x, summed as if in twice the precision of f64 */
    double *scale; /* |A| |x| */
};

vks_status spmv_reference(struct message *m, const struct host_csr *a, struct spmv_reference *r);
void spmv_reference_free(struct spmv_reference *r);
/* The largest |y - A x| / (|A| |x|) of all rows; infinite if a y is not finite, or is not 0 where it should
 * be. */
double spmv_error(const struct spmv_reference *r, const double *y);

#endif
