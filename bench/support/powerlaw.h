/* Matrices whose rows have very different lengths: the recursive graphs of D. Chakrabarti, Y. Zhan, C.
 * Faloutsos, "R-MAT: a recursive model for graph mining" (2004), with probabilities .57, .19, .19, .05. */
#ifndef VKS_BENCH_POWERLAW_H
#define VKS_BENCH_POWERLAW_H

#include "report/message.h"
#include "sparse/host_csr.h"
#include "vksolve/status.h"

/* n (rounded up to a power of two) rows with `mean` entries on average before equal ones are joined; values
 * of -1 .. 1. The places of the entries are those of powerlaw:N:MEAN of the peer benchmarks. */
vks_status powerlaw(struct message *m, uint32_t n, uint32_t mean, struct host_csr *a);

#endif
