/* Shared by formats that add entries to y one by one. */
#ifndef VKS_SPARSE_SCATTER_H
#define VKS_SPARSE_SCATTER_H

#include "sparse/matrix.h"

/* Workgroups of 1,024 elements each. */
static inline uint64_t groups_quads(uint32_t n)
{
    return ((uint64_t)n + 1023) / 1024;
}

/* y = 0 except in the long rows marked by `bits` */
static inline void clear_reals(struct rec *r, u32s bits, struct vec y)
{
    run(r, clear_reals, groups_each(y.n), .bits = bits, .y = vec_reals(y), .n = y.n, .longs = bits != NULL);
    bill(r, vec_bytes(y));
}

/* scatter.c: VKS_UNSUPPORTED if the device cannot add to values of A's precision in memory atomically. */
vks_status scatter_check(const vks_matrix *A);

#endif
