/* Parts of A: sets of rows and columns that share no entry other than zero with any others. Where the rows or
 * the columns of a part sum to zero, ones are a null vector of it. If the columns do, so do the elements of
 * A x there, whatever x is: then A x = b has no solution unless b sums to zero there, too. An empty row is a
 * part without columns. */
#ifndef VKS_SOLVERS_AUTO_PARTS_H
#define VKS_SOLVERS_AUTO_PARTS_H

#include "report/caller.h"
#include "sparse/matrix.h"

struct part {
    uint32_t begin, end; /* its rows are parts.row[begin] to parts.row[end - 1], ascending */
    bool has_cols;       /* otherwise it is an empty row */
    bool cols_vanish;    /* all of its columns sum to zero, up to rounding */
    bool rows_vanish;    /* all of its rows do */
    double defect; /* bound of |sum| over the sum of magnitudes, of all columns; 0: all are zero exactly */
};

/* Those of which all columns or all rows sum to zero, in the order of their first rows. */
struct parts {
    bool are_known;
    uint32_t values; /* A->values_taken, when they were found */
    uint32_t count;
    struct part *part;
    uint32_t *row;
};

/* What a proof must exceed. */
struct demand {
    double target;     /* of ||b - A x|| */
    double of_b, of_x; /* units of rounding of b and x, relative */
};

/* What b says of the parts whose columns sum to zero. */
struct parts_of_b {
    bool is_exact;  /* columns sum to zero exactly; otherwise up to the rounding of the entries */
    uint32_t count; /* parts on which b does not sum to zero */
    uint32_t first; /* the first of them */
    double sum;     /* of b there */
    double norm;    /* if exact, no x makes ||b - A x|| smaller */
};

/* Finds the parts of a matrix with entries, unless they are known for its values. The host does, with a copy;
 * if that takes more than `most_bytes`, none is found. !p->are_known: the caller has cancelled. */
vks_status parts_find(const vks_matrix *A, uint64_t most_bytes, const struct caller *caller, struct parts *p);
void parts_free(struct parts *p); /* a zeroed struct is fine */

/* Sums b on each part; without its mean, if that is kept out of the solve. Sums count that are more than the
 * rounding of b, and together keep ||b - A x|| above the target for each x; or, if columns do not sum to zero
 * exactly, for each x by its own rounding. */
vks_status parts_sum_b(const struct parts *p, const vks_vector *b, bool without_mean, const struct demand *d,
                       struct parts_of_b *out);

#endif
