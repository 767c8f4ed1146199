/* The transpose of a matrix, and the position of each of its entries in the matrix, so that values are
 * updated without sorting. */
#ifndef VKS_SPARSE_TRANSPOSED_H
#define VKS_SPARSE_TRANSPOSED_H

#include "device/record.h"
#include "sparse/csr.h"
#include "vksolve/matrix.h"

#include <stdbool.h>

struct transposed {
    vks_matrix *T; /* in CSR, with values as wide as the matrix's; it has no format yet */
    struct memory place;
};

static inline u32s transposed_place(const struct transposed *t)
{
    return (u32s)(uintptr_t)t->place.address;
}

/* Makes the transpose of A, with or without its long rows. *t must be released even after a failure. */
vks_status transposed_create(const vks_matrix *A, bool long_rows, struct transposed *t);
/* Fills *t, which is allocated, on the host, for the CSR of A without long rows. Does nothing and sets *taken
 * to false on another device or if A has long rows. */
vks_status transpose_host(const struct csr *A, uint32_t value_bytes, const struct transposed *t, bool *taken);
/* Records an update from the values of A->csr, which must be held. */
void transposed_refresh(struct rec *r, const vks_matrix *A, const struct transposed *t);
/* matrix.c: a zeroed struct is fine; zeroes the struct. */
void transposed_release(struct transposed *t, struct device *d);

#endif
