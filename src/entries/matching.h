/* Maximum-product matching of the rows and columns of a square matrix: I. S. Duff, J. Koster, "On algorithms
 * for permuting large entries to the diagonal of a sparse matrix" (2001), the problem of MC64 job 5, by
 * shortest augmenting paths. The row permutation maximises the product of the magnitudes on the diagonal. Its
 * dual variables are the scales that make this diagonal one and no other entry larger.
 *
 * Logarithms to base 2 are integers in units of 2^-24, with an error of at most two units. All other
 * arithmetic is exact, and indices break ties, so the result depends only on the entries. */
#ifndef VKS_ENTRIES_MATCHING_H
#define VKS_ENTRIES_MATCHING_H

#include "entries/host_csr.h"
#include "report/caller.h"

#include <stdbool.h>

/* The most rows: the sums of costs along a path fit into 63 bits. */
#define MATCHING_MOST_ROWS (1u << 27)

/* The arrays have an element for each row or column. */
struct matching {
    uint32_t *row_of; /* the row matched with each column */
    int32_t *left;    /* exponents of the powers of two that scale each row of A */
    int32_t *right;   /* and each column of A */
    uint32_t rank;    /* structural rank: the most rows and columns that can be matched */
    uint32_t bad_row; /* the first row with a non-finite entry; UINT32_MAX: none */
    bool complete;    /* false: too much work, or the caller cancelled; then the arrays are undefined */
    bool unwanted;    /* the caller has cancelled */
};

/* Matches the rows of A, which is square. Explicit zeros and non-finite values do not count as entries. If A
 * is structurally singular, the remaining rows are matched with the remaining columns in order. A matched
 * entry, scaled, is from 1/2 to 2 in magnitude, and any other is at most 2, since scales are rounded to
 * powers of two. The row exponents are 0 on average.
 *
 * For most matrices this takes the time of some passes over A. A shortest path costs O(entries log n) at
 * worst, and there may be n of them. VKS_OK is returned with `complete` false once the searches have taken
 * MATCHING_LEAST_WORK steps plus MATCHING_MOST_WORK for each entry. A step is an entry inspected or a column
 * moved in the heap. `caller` may cancel. Memory: 8 bytes per entry and 48 per row. The caller owns the
 * arrays: matching_free. After VKS_LIMIT or VKS_OUT_OF_MEMORY there are none. */
enum { MATCHING_LEAST_WORK = 1 << 25, MATCHING_MOST_WORK = 16 };
vks_status matching_find(struct message *m, const struct host_csr *A, const struct caller *caller,
                         struct matching *out);
/* Accepts a zeroed struct, and zeroes it. */
void matching_free(struct matching *w);

#endif
