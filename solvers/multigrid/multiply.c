#include "solvers/multigrid/coarsen.h"
#include "sparse/spgemm.h"

vks_status coarsen_multiply(const struct coarsening *c, const vks_matrix *A, const vks_matrix *B,
                            vks_matrix **C)
{
    vks_status s = spgemm(A, B, &spgemm_defaults, C);
    if (*C)
        (*C)->precision = public_precision(c->precision);
    return s;
}

vks_status coarsen_transpose(const vks_matrix *P, vks_matrix **R)
{
    struct transposed t;
    vks_status s = transposed_create(P, true, &t);
    device_release(P->context->device, &t.place);
    *R = t.T;
    return s;
}
