/* Where the pivots of two eliminations diverge, and why. */
#ifndef VKS_BENCH_PIVOTS_H
#define VKS_BENCH_PIVOTS_H

#include "verify/specimen.h"

#include <stdbool.h>

struct parting {
    uint32_t column;       /* the first one whose pivots come from different rows, from 0; n for none */
    uint32_t ours, theirs; /* these rows */
    /* The two elements after elimination, computed to more digits: entries of the Schur complement. */
    double ours_size, theirs_size;
    /* Their difference over the change that a rounding of each element of A causes. It is small for a pivot
     * that looks larger only because of rounding. */
    double roundings;
    bool explained; /* roundings is at most the number of columns eliminated before, plus four */
};

/* Both orders of rows have n pivots. VKS_OUT_OF_MEMORY. */
vks_status find_parting(const struct specimen *s, const uint32_t *ours, const uint32_t *theirs,
                        struct parting *p);

#endif
