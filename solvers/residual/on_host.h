/* The residual in doubles on the host, for devices without 64-bit floats: by the twins of the same kernels,
 * and so with the same bits. */
#ifndef VKS_SOLVERS_RESIDUAL_ON_HOST_H
#define VKS_SOLVERS_RESIDUAL_ON_HOST_H

#include "solvers/residual/wide.h"

/* Makes a host device and copies of A and b there. */
vks_status on_host_open(struct residual *e);
void on_host_close(struct residual *e);
vks_status on_host_update_values(struct residual *e);
vks_status on_host_take_b(struct residual *e);
/* Computes the norm of b - A x, which is ready on return. */
vks_status on_host_measure(struct residual *e, uint64_t *ticket);
#endif
