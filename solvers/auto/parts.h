/* Parts of A: sets of rows and columns that share no entry other than zero with any others, and of which a
 * null vector is known because sums vanish. If the columns of a part sum to zero, so do the rows of A x
 * there, whatever x is: then A x = b has no solution unless b sums to zero there, too. An empty row is a part
 * without columns. */
#ifndef VKS_SOLVERS_AUTO_PARTS_H
#define VKS_SOLVERS_AUTO_PARTS_H

#include "sparse/matrix.h"

struct part {
    uint32_t begin, end; /* its rows are parts.row[begin] to parts.row[end - 1], ascending */
    bool has_cols;       /* otherwise it is an empty row */
    bool cols_vanish;    /* all of its columns sum to zero, up to rounding */
    bool rows_vanish;    /* all of its rows do */
};

/* Those of which all columns or all rows sum to zero, in the order of their first rows. */
struct parts {
    bool are_known;
    uint32_t values; /* A->values_taken, when they were found */
    uint32_t count;
    struct part *part;
    uint32_t *row;
};

/* What b says of the parts whose columns sum to zero. */
struct parts_of_b {
    uint32_t count; /* parts on which b does not sum to zero */
    uint32_t first; /* the first of them */
    double sum;     /* of b there */
    double norm;    /* no x makes ||b - A x|| smaller, but for rounding */
};

/* Finds the parts of a matrix with entries, unless they are known for its values. The host does. */
vks_status parts_find(const vks_matrix *A, struct parts *p);
void parts_free(struct parts *p); /* a zeroed struct is fine */

/* Sums b on each part; without its mean, if that is kept out of the solve. Sums count that together keep
 * ||b - A x|| above `target`, and are more than the rounding of b. */
vks_status parts_judge(const struct parts *p, const vks_vector *b, bool without_mean, double target,
                       struct parts_of_b *out);

#endif
