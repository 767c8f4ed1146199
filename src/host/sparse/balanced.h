/* Slices of balanced CSR on the host, as in shaders/sparse/balanced.glsl. */
#ifndef VKS_HOST_SPARSE_BALANCED_H
#define VKS_HOST_SPARSE_BALANCED_H

#include "host/sparse/sell.h"
#include "shaders/sparse/balanced.h"

/* The rows of a slice: positions from `first`, before `end`, in the order, with `team` threads each. */
struct balanced_slice {
    uint32_t first, end, team;
};

/* Slice s of n rows; above[k] rows have more entries than the lower bound of class k. */
static inline struct balanced_slice balanced_slice_at(uint32_t s, const uint32_t above[3], uint32_t n,
                                                      uint32_t lanes)
{
    for (uint32_t k = 0, begin = 0; k < BALANCED_CLASSES; k++) {
        uint32_t end = k + 1 < BALANCED_CLASSES ? above[k] : n,
                 team = BALANCED_TEAM(k) > lanes ? BALANCED_TEAM(k) : lanes, rows = 256 / team,
                 slices = 8 * ((end - begin) / rows + ((end - begin) % rows != 0));
        if (s < slices)
            return (struct balanced_slice){begin + s * (32 / team), end, team};
        s -= slices;
        begin = end;
    }
    return (struct balanced_slice){n, n, lanes};
}

/* Loops with s over the slices, whose widths differ greatly. */
#define FOR_SLICES(s, slices) TEAM_FOR(me, s, slices, 64, 1)

#endif
