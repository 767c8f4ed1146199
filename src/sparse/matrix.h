/* The inside of a vks_matrix, and the product in whichever format it has. */
#ifndef VKS_SPARSE_MATRIX_H
#define VKS_SPARSE_MATRIX_H

#include "device/context.h"
#include "sparse/sell.h"

struct vks_matrix {
    vks_context *context;
    vks_precision precision;
    vks_format format; /* of the products */
    char format_reason[128];
    struct csr csr; /* always there */
    struct sell sell;
    struct memory row, col, val, slice, base, sell_col, sell_val;
};

/* A matrix whose CSR arrays kernels are to fill: its row offsets first, then room for the entries, whose
 * number they tell. After a failure, too, *matrix is to be given to matrix_end or vks_matrix_destroy. */
vks_status matrix_begin(vks_context *context, vks_precision precision, uint32_t rows, uint32_t cols,
                        vks_matrix **matrix);
vks_status matrix_room(vks_matrix *A, uint32_t entries);
/* Unless s tells of a failure, gives A its format and returns it; otherwise destroys it, and *matrix is NULL.
 * A may be NULL after a failure. */
vks_status matrix_end(vks_matrix *A, vks_status s, vks_format format, vks_matrix **matrix);

/* VKS_INVALID_ARGUMENT where `format` is none. */
vks_status format_check(vks_context *context, vks_format format);

/* Chooses the format, or takes the one that is asked for, and converts. `row` are the offsets of A->csr, on
 * the host; where it is NULL they are read from the device, if they are needed. VKS_LIMIT: too much padding
 * for the format asked for; VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY. */
vks_status format_set_up(vks_matrix *A, const uint32_t *row, vks_format wanted);
/* Takes over new values of A->csr. */
vks_status format_refresh(vks_matrix *A);
void format_release(vks_matrix *A);

/* y = A x */
static inline void spmv(struct rec *r, const vks_matrix *A, reals x, reals y)
{
    if (A->format == VKS_FORMAT_SELL)
        spmv_sell(r, &A->sell, x, y);
    else
        spmv_csr(r, NULL, &A->csr, x, y);
}

/* q = A p and sums of p . q, while the solve is alive, for the kernel that adds them up: of stripes where
 * true is returned, else of tiles. */
static inline bool spmv_dot(struct rec *r, control c, const vks_matrix *A, const struct reduction *w, reals p,
                            reals q)
{
    uint32_t n = A->csr.n;
    if (A->format == VKS_FORMAT_SELL || A->csr.lanes == 1) {
        if (A->format == VKS_FORMAT_SELL)
            spmv_sell_dot(r, c, &A->sell, p, q, reduction_sums(w));
        else
            spmv_csr_dot(r, c, &A->csr, p, q, reduction_sums(w));
        tile_levels(r, w, n, 0, 1);
        return false;
    }
    spmv_csr(r, c, &A->csr, p, q);
    dot_stripes(r, c, w, p, q, n);
    stripe_levels(r, w, n, 0, 1);
    return true;
}

#endif
