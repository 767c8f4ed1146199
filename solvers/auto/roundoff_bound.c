#include "solvers/auto/roundoff_bound.h"
#include "vector/vector.h"
#include "vector/verbs.h"

vks_status roundoff_bound(const struct equation *q, double *bound)
{
    const vks_matrix *A = q->A;
    struct device *d = A->context->device;
    struct vec x = vec_of(q->x), b = vec_of(q->b);
    struct room w;
    struct rec r;
    room_open(&w, d);
    struct vec y = room_vec(&w, b.n, b.precision, "magnitudes");
    struct reduction sums = room_reduction(&w, b.n, 1);
    struct memory norm = room_memory(&w, MEMORY_DEVICE, real_bytes(b.precision), "a norm");
    rec_create(&r, d, matrix_precision(A));
    csr_magnitudes(&r, &A->csr, vec_reals(x), vec_reals(b), vec_reals(y));
    norm2(&r, &sums, y, (number)(uintptr_t)norm.address);
    vks_status s = w.status ? w.status : rec_run(&r);
    if (!s)
        s = download_values(d, &norm, public_precision(b.precision), 0, 1, VKS_F64, bound);
    *bound *= b.precision == PRECISION_F64 ? 0x1p-53 : 0x1p-24;
    rec_destroy(&r);
    room_close(&w);
    return s;
}
