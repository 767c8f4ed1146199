/* Maximum-product matching of the rows and columns of a square matrix: I. S. Duff, J. Koster, "On algorithms
 * for permuting large entries to the diagonal of a sparse matrix" (2001), the problem of MC64 job 5, by
 * shortest augmenting paths. Of all permutations of rows, the one that is found has the largest product of
 * the magnitudes on the diagonal. Its dual variables are the scales with which that diagonal is one and no
 * other entry is larger.
 *
 * Logarithms to base 2 are integers in units of 2^-24, and differ from the true ones by at most two of them.
 * All else is exact, and ties are decided by indices, so the result depends on nothing but the entries. */
#ifndef VKS_SPARSE_MATCHING_H
#define VKS_SPARSE_MATCHING_H

#include "sparse/host_csr.h"

#include <stdbool.h>

/* The most rows: the sums of costs along a path fit 63 bits. */
#define MATCHING_MOST_ROWS (1u << 27)

/* The arrays have an element for each row, or column. */
struct matching {
    uint32_t *row_of; /* the row that is matched with each column */
    int32_t *left;    /* the exponents of the powers of two that scale each row of A, */
    int32_t *right;   /* and each column */
    uint32_t rank;    /* the structural one: the most rows and columns that can be matched */
    uint32_t bad_row; /* the first that has an entry that is not finite; UINT32_MAX: none */
    bool complete;    /* false: there was too much to do, and the arrays mean nothing */
};

/* Matches the rows of A, which is square and may have explicit zeros. They do not count as entries, nor does
 * what is not finite. Where A is structurally singular, the rows that remain go to the columns that remain,
 * in order. A scaled entry that is matched is from 1/2 to 2 in magnitude, and any other is at most 2, since
 * scales are rounded to powers of two. The exponents of rows are 0 on average.
 *
 * The time is that of some passes over A for most matrices. A shortest path costs O(entries log n) at worst,
 * and there may be n of them; `complete` is false, and VKS_OK returned, once the searches have looked at
 * MATCHING_MOST_WORK times as many entries as A has, and 16 million. Memory: 8 bytes an entry and 48 a row.
 * The arrays are owned by the caller: matching_free. VKS_LIMIT, VKS_OUT_OF_MEMORY: there are none. */
enum { MATCHING_MOST_WORK = 256 };
vks_status matching_find(struct message *m, const struct host_csr *A, struct matching *out);
/* Accepts a zeroed struct, and leaves one. */
void matching_free(struct matching *w);

#endif
