/* CSR as a format: every matrix has it anyway. */
#include "sparse/matrix.h"

static void product(struct rec *r, const vks_matrix *A, struct vec x, struct vec y)
{
    spmv_csr(r, &A->csr, x, y);
}

/* Fused for one lane only: workgroups take one turn per lane, so more lanes leave too few workgroups. */
static bool product_and_dot(struct rec *r, const vks_matrix *A, struct vec x, struct vec own, struct vec y,
                            sums s)
{
    if (A->csr.lanes > 1)
        return false;
    spmv_csr_dot(r, &A->csr, x, own, y, s);
    return true;
}

static void product_then(struct rec *r, const vks_matrix *A, const struct product_then *t)
{
    spmv_csr_then(r, &A->csr, t);
}

static uint64_t bytes(const vks_matrix *A)
{
    return A->row.bytes + (uint64_t)A->csr.entries * (4 + value_bytes(matrix_precision(A)));
}

const struct format_ops format_csr = {
    .spmv = product, .spmv_dot = product_and_dot, .spmv_then = product_then, .bytes = bytes};
