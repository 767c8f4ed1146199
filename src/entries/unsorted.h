/* CSR whose rows are in any order, on the host. */
#ifndef VKS_ENTRIES_UNSORTED_H
#define VKS_ENTRIES_UNSORTED_H

#include "entries/host_csr.h"
#include "vksolve/vector.h"

struct unsorted {
    uint32_t *col;   /* the columns, ascending in each row */
    uint32_t *order; /* order[k] = where the k-th of them stood */
};

/* Sorts the rows of a, whose values are not looked at. If all are in order, *u is left with NULLs; else the
 * caller frees both arrays, also after a failure. Errors as csr_arrays_check; a column that stands twice in a
 * row is named with the row. VKS_OUT_OF_MEMORY. */
vks_status unsorted_sort(struct message *m, const struct host_csr *a, struct unsorted *u);

/* *sorted = a copy of n values in that order, for the caller to free. */
vks_status unsorted_values(struct message *m, const uint32_t *order, uint32_t n, vks_precision of_values,
                           const void *val, void **sorted);

#endif
