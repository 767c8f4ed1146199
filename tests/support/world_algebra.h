/* The calls of vksolve/algebra.h and their like, for world.h, which includes this when it knows its world. */
#ifndef VKS_TESTS_WORLD_ALGEBRA_H
#define VKS_TESTS_WORLD_ALGEBRA_H

#include "vksolve/algebra.h"

static inline vks_status add_matrices(struct world *w)
{
    vks_matrix *m = w->A;
    vks_status s = vks_matrix_add(2, w->A, -1, w->A, VKS_FORMAT_SELL, &m);
    return destroy_made(s, m);
}

static inline vks_status scale_slices(struct world *w)
{
    vks_matrix *m = w->A;
    vks_matrix_options o = {.storage.format = VKS_FORMAT_SELL};
    vks_status s = vks_matrix_from_csr(w->c, N, N, w->host.row, w->host.col, w->host.val, &o, &m);
    if (!s)
        s = vks_matrix_scale(m, w->b, w->x);
    return s ? (vks_matrix_destroy(m), s) : destroy_made(s, m);
}

static inline vks_status drop_entries(struct world *w)
{
    vks_matrix *m = w->A;
    vks_status s = vks_matrix_drop(w->A, 0.25, VKS_FORMAT_SELL, &m);
    return destroy_made(s, m);
}

/* X(call, the least number of operations that it needs) */
#define ALGEBRA_CALLS(X) \
    X(add_matrices, 25)  \
    X(scale_slices, 15)  \
    X(drop_entries, 25)

#endif
