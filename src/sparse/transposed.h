/* The transpose of a matrix, and where each of its entries stands in the matrix: so it takes over new values
 * without sorting. */
#ifndef VKS_SPARSE_TRANSPOSED_H
#define VKS_SPARSE_TRANSPOSED_H

#include "device/record.h"
#include "sparse/csr.h"
#include "vksolve/matrix.h"

#include <stdbool.h>

struct transposed {
    vks_matrix *T; /* its CSR, with values as wide as those of the matrix; it has no format yet */
    struct memory place;
};

static inline u32s transposed_place(const struct transposed *t)
{
    return (u32s)(uintptr_t)t->place.address;
}

/* Of A, with its long rows or without. After a failure, too, *t is to be released. */
vks_status transposed_create(const vks_matrix *A, bool long_rows, struct transposed *t);
/* The same on the host, of the CSR of A without long rows; t has its room. *taken becomes false, and nothing
 * is done, on another device, and where A has long rows. */
vks_status transpose_host(const struct csr *A, uint32_t value_bytes, const struct transposed *t, bool *taken);
/* Records: takes over the values of A->csr, which is held. */
void transposed_refresh(struct rec *r, const vks_matrix *A, const struct transposed *t);
/* matrix.c: a zeroed struct is fine, and is left. */
void transposed_release(struct transposed *t, struct device *d);

#endif
