/* A x in double precision, whatever the precision of A: by the CSR of A, or by an operator's own product. */
#include "operator/operator.h"
#include "solvers/solver.h"

/* (The twins and kernels of VKS_MIXED multiply values in f32 by an x in doubles.) */
void image_record(struct rec *r, const struct solve *s, struct user_operator *o, doubles x, doubles y)
{
    const struct csr *A = &s->A->csr;
    enum precision p = r->precision;
    r->precision = o || s->given == PRECISION_F64 ? PRECISION_F64 : PRECISION_MIXED;
    if (o) {
        operator_product(r, o, (reals)x, (reals)y);
    } else {
        if (A->longs)
            spmv_long(r, A, (reals)x, (reals)y);
        spmv_csr(r, A, (reals)x, (reals)y);
    }
    r->precision = p;
}
