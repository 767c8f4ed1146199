/* CSR with rows in any order, on the host. */
#ifndef VKS_ENTRIES_UNSORTED_H
#define VKS_ENTRIES_UNSORTED_H

#include "entries/host_csr.h"
#include "vksolve/vector.h"

struct unsorted {
    uint32_t *col;   /* the columns, ascending in each row */
    uint32_t *order; /* order[k] = the original position of the k-th of them */
};

/* Sorts the rows of a, without reading values. If all rows are sorted, *u holds NULLs; else the caller frees
 * both arrays, even after a failure. Errors as in csr_arrays_check; a duplicate column is named with its row.
 * VKS_OUT_OF_MEMORY. */
vks_status unsorted_sort(struct message *m, const struct host_csr *a, struct unsorted *u);

/* *sorted = a copy of n values in the sorted order; the caller frees it. */
vks_status unsorted_values(struct message *m, const uint32_t *order, uint32_t n, vks_precision of_values,
                           const void *val, void **sorted);

#endif
