#include "solvers/residual/image.h"

/* (The twins and kernels of VKS_MIXED multiply values in f32 by an x in doubles.) */
void image_record(struct rec *r, const struct csr *rows, struct user_operator *product, const vks_matrix *A,
                  struct vec x, struct vec y)
{
    bool full = product || matrix_precision(A) == PRECISION_F64;
    enum precision before = rec_precision(r, full ? PRECISION_F64 : PRECISION_MIXED);
    if (product) {
        operator_product(r, product, x, y);
    } else {
        if (rows->longs)
            spmv_long(r, rows, x, y);
        spmv_csr(r, rows, x, y);
    }
    r->precision = before;
}

void image_record_residual(struct rec *r, const struct csr *rows, const vks_matrix *A, struct vec x,
                           struct vec b, struct vec y, bool fixpoint)
{
    enum precision before = rec_precision(r, matrix_precision(A));
    if (rows->longs)
        csr_residual_long(r, rows, x, y);
    csr_residual(r, rows, x, b, y, fixpoint);
    r->precision = before;
}
