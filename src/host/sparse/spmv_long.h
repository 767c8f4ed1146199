/* The sums of the pieces of long rows on the host, as in shaders/sparse/spmv_long.glsl. */
#ifndef VKS_HOST_SPARSE_SPMV_LONG_H
#define VKS_HOST_SPARSE_SPMV_LONG_H

#include "host/sparse/csr.h"
#include "host/sparse/long.h"

/* Piece p of the list: the sum of a row of one piece into y, of others into `sum`. */
static inline void sum_piece(const uint32_t *list, const uint32_t *start, const uint32_t *col,
                             const stored *val, const real *x, real *y, real *sum, uint32_t p)
{
    struct long_piece q = piece_at(list, p);
    uint32_t begin = start ? start[p] : q.begin;
    real *to = q.of == 1 ? y + q.row : sum + p;
    *to = row_sum(col, val, x, begin, begin + (q.end - q.begin), 32);
}

#endif
