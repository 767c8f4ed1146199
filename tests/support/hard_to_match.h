/* A full matrix whose matching takes n^3 steps. */
#ifndef VKS_TESTS_HARD_TO_MATCH_H
#define VKS_TESTS_HARD_TO_MATCH_H

#include "tests/support/matrix.h"

#include <math.h>

/* Entry (i, j) is 2^(-i j / share). R. E. Machol, M. Wien, "A 'hard' assignment problem" (1976): each search
 * visits nearly all entries of the earlier rows. */
static inline struct host_csr hard_to_match(uint32_t n, double share)
{
    struct host_csr a = new_csr(n, n, (size_t)n * n);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            a.col[i * n + j] = j;
            a.val[i * n + j] = exp2(-(double)(i * j) / share);
        }
        a.row[i + 1] = (i + 1) * n;
    }
    return a;
}

#endif
