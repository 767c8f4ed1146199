/* Which entries of a matrix are dropped, from the definition. */
#ifndef VKS_TESTS_DROP_ORACLE_H
#define VKS_TESTS_DROP_ORACLE_H

#include "tests/support/matrix.h"

static inline double largest_of_row(const struct host_csr *A, uint32_t i)
{
    double most = 0;
    for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
        most = fmax(most, fabs(A->val[k])); /* ignores NaN */
    return most;
}

static inline double drop_limit(enum precision p, const struct host_csr *A, uint32_t i, double below)
{
    return rounded(p, rounded(p, below) * largest_of_row(A, i));
}

/* Whether entry k of row i is dropped for the limit of that row. */
static inline bool is_dropped(const struct host_csr *A, uint32_t i, uint32_t k, double limit)
{
    return A->col[k] != i && (A->val[k] == 0 || fabs(A->val[k]) < limit); /* comparisons with NaN are false */
}

static inline struct host_csr drop_oracle(enum precision p, const struct host_csr *A, double below)
{
    struct host_csr B = new_csr(A->rows, A->cols, host_csr_entries(A));
    for (uint32_t i = 0, at = 0; i < A->rows; i++) {
        double limit = drop_limit(p, A, i, below);
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            if (!is_dropped(A, i, k, limit)) {
                B.col[at] = A->col[k];
                B.val[at++] = A->val[k];
            }
        B.row[i + 1] = at;
    }
    return B;
}

#endif
