/* Products that leave the tile sums of own . y, through their verbs: shared inputs and comparisons, in
 * addition to y. The elements of the rows, own, are x in reverse order. */
#ifndef VKS_TESTS_DOT_CASES_H
#define VKS_TESTS_DOT_CASES_H

#include "tests/support/cases/long.h"

/* Memory for the tile sums, which are compared. */
static inline sums compared_sums(struct job *j)
{
    const struct reduction *w = new_reduction(j, 1);
    compared(j, &w->sums, j->p, (j->n + 255) / 256);
    return reduction_sums(w);
}

static inline double *backwards(const struct job *j)
{
    double *own = room(j->n, 8);
    for (uint32_t i = 0; i < j->n; i++)
        own[i] = j->x[j->n - 1 - i];
    return own;
}

static inline struct vec put_own(struct job *j)
{
    double *own = backwards(j);
    const struct memory *m = put(j, own, j->n, "own");
    free(own);
    return job_vec(j, m);
}

/* The tile sums of own . y, after y. */
static inline void expect_sums(const struct job *j, double *y)
{
    double *own = backwards(j);
    for (uint32_t first = 0; first < j->n; first += 256)
        y[j->n + first / 256] =
            canonical_dot(j->p, own + first, y + first, j->n - first < 256 ? j->n - first : 256);
    free(own);
}

#endif
