/* Products that leave the tile sums of x . y, through their verbs: what such a case takes and compares beside
 * y. */
#ifndef VKS_TESTS_DOT_CASES_H
#define VKS_TESTS_DOT_CASES_H

#include "tests/support/long_cases.h"

/* Room for the tile sums, which are compared. */
static inline sums compared_sums(struct job *j)
{
    const struct reduction *w = new_reduction(j, 1);
    compared(j, &w->sums, j->p, (j->n + 255) / 256);
    return reduction_sums(w);
}

/* The sums of the tiles of x . y, behind y. */
static inline void expect_sums(const struct job *j, double *y)
{
    for (uint32_t first = 0; first < j->n; first += 256)
        y[j->n + first / 256] =
            canonical_dot(j->p, j->x + first, y + first, j->n - first < 256 ? j->n - first : 256);
}

#endif
