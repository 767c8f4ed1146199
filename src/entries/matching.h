/* Maximum-product matching of the rows and columns of a square matrix: I. S. Duff, J. Koster, "On algorithms
 * for permuting large entries to the diagonal of a sparse matrix" (2001), the problem of MC64 job 5, by
 * shortest augmenting paths. Of all permutations of rows, the one that is found has the largest product of
 * the magnitudes on the diagonal. Its dual variables are the scales with which that diagonal is one and no
 * other entry is larger.
 *
 * Logarithms to base 2 are integers in units of 2^-24, and differ from the true ones by at most two of them.
 * All else is exact, and ties are decided by indices, so the result depends on nothing but the entries. */
#ifndef VKS_ENTRIES_MATCHING_H
#define VKS_ENTRIES_MATCHING_H

#include "entries/host_csr.h"
#include "report/caller.h"

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
    bool complete;    /* false: there was too much to do, or the caller has cancelled; then the arrays mean
                         nothing */
    bool unwanted;    /* the caller has cancelled */
};

/* Matches the rows of A, which is square and may have explicit zeros. They do not count as entries, nor does
 * what is not finite. Where A is structurally singular, the rows that remain go to the columns that remain,
 * in order. A scaled entry that is matched is from 1/2 to 2 in magnitude, and any other is at most 2, since
 * scales are rounded to powers of two. The exponents of rows are 0 on average.
 *
 * The time is that of some passes over A for most matrices. A shortest path costs O(entries log n) at worst,
 * and there may be n of them; `complete` is false, and VKS_OK returned, once the searches have taken
 * MATCHING_LEAST_WORK steps and MATCHING_MOST_WORK for each entry. A step is an entry that is looked at, or a
 * column that is moved in the heap. `caller` may cancel. Memory: 8 bytes an entry and 48 a row. The arrays
 * are owned by who calls: matching_free. VKS_LIMIT, VKS_OUT_OF_MEMORY: there are none. */
enum { MATCHING_LEAST_WORK = 1 << 25, MATCHING_MOST_WORK = 16 };
vks_status matching_find(struct message *m, const struct host_csr *A, const struct caller *caller,
                         struct matching *out);
/* Accepts a zeroed struct, and leaves one. */
void matching_free(struct matching *w);

#endif
