/* Parts of A: sets of rows and columns that share no nonzero entries with others. If the rows or the columns
 * of a part sum to zero, ones are a null vector of it. If the columns do, the elements of A x there sum to
 * zero for any x, and A x = b has no solution unless b also sums to zero there. An empty row is a part
 * without columns. */
#ifndef VKS_SOLVERS_AUTO_PARTS_H
#define VKS_SOLVERS_AUTO_PARTS_H

#include "report/caller.h"
#include "sparse/matrix.h"

struct part {
    uint32_t begin, end; /* its rows are parts.row[begin] to parts.row[end - 1], ascending */
    bool has_cols;       /* false: an empty row */
    bool cols_vanish;    /* all its columns sum to zero, up to rounding */
    bool rows_vanish;    /* all its rows sum to zero, up to rounding */
    double
        defect; /* bound of |sum| over the sum of magnitudes, for all columns; 0: all sums are exactly zero */
};

/* Parts whose columns or whose rows all sum to zero, in the order of their first rows. */
struct parts {
    bool are_known;
    uint32_t values; /* A->values_taken when they were searched */
    uint32_t count;
    struct part *part;
    uint32_t *row;
};

/* Thresholds of a proof. */
struct demand {
    double target;     /* of ||b - A x|| */
    double of_b, of_x; /* units of rounding of b and x, relative */
};

/* The sums of b on the parts whose columns sum to zero. */
struct parts_of_b {
    bool is_exact;  /* columns sum to exactly zero; otherwise up to the rounding of the entries */
    uint32_t count; /* parts on which b does not sum to zero */
    uint32_t first; /* first of these */
    double sum;     /* sum of b on the first */
    double norm;    /* if exact, a lower bound of ||b - A x|| for all x */
};

/* Finds the parts of a matrix with entries, unless they are known for its values. Runs on the host, on a
 * copy; finds none if that takes more than `most_bytes`. !p->are_known: the caller cancelled. */
vks_status parts_find(const vks_matrix *A, uint64_t most_bytes, const struct caller *caller, struct parts *p);
void parts_free(struct parts *p); /* accepts a zeroed struct */

/* Sums b on each part; without its mean, if the mean is removed from the solve. Counts sums that exceed the
 * rounding of b and together keep ||b - A x|| above the target: for every x or, if columns do not sum to
 * exactly zero, because of the rounding of x. */
vks_status parts_sum_b(const struct parts *p, const vks_vector *b, bool without_mean, const struct demand *d,
                       struct parts_of_b *out);

#endif
