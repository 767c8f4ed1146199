/* Where the pivots of two eliminations part, and why. */
#ifndef VKS_BENCH_PIVOTS_H
#define VKS_BENCH_PIVOTS_H

#include "judge/specimen.h"

#include <stdbool.h>

struct parting {
    uint32_t column;       /* the first one whose pivots come from different rows, from 0; n: none */
    uint32_t ours, theirs; /* these rows */
    /* What elimination leaves of the two elements, computed to more digits: entries of the Schur complement.
     */
    double ours_size, theirs_size;
    /* Their difference over the change that they take when each element of A changes by a rounding: a pivot
     * that looks larger but for rounding has a small one. */
    double roundings;
    bool explained; /* no more of these than the columns eliminated before, and four */
};

/* Both orders of rows are of n pivots. VKS_OUT_OF_MEMORY. */
vks_status find_parting(const struct specimen *s, const uint32_t *ours, const uint32_t *theirs,
                        struct parting *p);

#endif
