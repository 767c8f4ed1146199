/* Computes the rows of tile t with the program's own function. */
#ifndef VKS_HOST_OPERATOR_ROWS_H
#define VKS_HOST_OPERATOR_ROWS_H

#include "abi/environment.h"
#include "host/operator/call.h"
#include "host/sum.h"

static inline void operator_rows(const uint32_t *call, uint32_t t, uint32_t n, const real *x, real *y)
{
    const struct operator_call *c = (const void *)call;
    struct visit visit = callers_enter();
#if REAL == 64
    c->f64(&c->view, t * TILE, tile_length(t, n), x, y);
#else
    c->f32(&c->view, t * TILE, tile_length(t, n), x, y);
#endif
    callers_leave(visit);
}

#endif
