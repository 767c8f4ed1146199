/* Products followed by an operation on vectors, row by row. */
#include "sparse/then.h"
#include "sparse/matrix.h"

/* Uses two kernels. */
static void then_apart(struct rec *r, const vks_matrix *A, const struct product_then *t)
{
    struct vec q = product_then_spares(t) ? t->spare : t->y;
    assert(vecs_fit(q, t->y));
    spmv(r, A, t->x, q);
    run_in(r, t->y.precision, product_then, groups_each(t->y.n), .q = vec_reals(q), .n = t->y.n,
           THEN_ARGS(t));
    bill(r, then_bytes(t) + (t->form == PRODUCT_STEP ? 2 : 1) * vec_bytes(t->y));
}

bool product_then_is_apart(const vks_matrix *A)
{
    return !A->ops->spmv_then || A->csr.longs;
}

void spmv_then(struct rec *r, const vks_matrix *A, const struct product_then *t)
{
    struct product_then then = *t;
    if (t->form == PRODUCT_ADD)
        then.b = t->y;
    assert(product_then_fits(&then, A->csr.n, A->csr.cols));
    if (product_then_is_apart(A)) {
        then_apart(r, A, &then);
        return;
    }
    enum precision before = rec_precision(r, product_precision(A, t->x.precision));
    A->ops->spmv_then(r, A, &then);
    r->precision = before;
}
