/* Matrices whose rows have very different lengths, from the recursive graphs of D. Chakrabarti, Y. Zhan, C.
 * Faloutsos, "R-MAT: a recursive model for graph mining" (2004), with probabilities .57, .19, .19, .05. They
 * equal those of the peer benchmarks, entry by entry. */
#ifndef VKS_COMMAND_MODELS_POWERLAW_H
#define VKS_COMMAND_MODELS_POWERLAW_H

#include "entries/host_csr.h"
#include "report/message.h"
#include "vksolve/status.h"

enum powerlaw_kind {
    POWERLAW_DIRECTED, /* an entry of -1 .. 1 for each edge */
    POWERLAW_SPD,      /* symmetric positive definite: the Laplacian of the undirected graph, + 0.1 I */
};

/* n (rounded up to a power of two) rows and `mean` edges per row; equal edges are merged. The caller owns *a,
 * which is zeroed on failure: VKS_LIMIT, more than 2^31 rows or VKS_MAX_ENTRIES edges; VKS_OUT_OF_MEMORY. */
vks_status powerlaw(struct message *m, enum powerlaw_kind kind, uint32_t n, uint32_t mean,
                    struct host_csr *a);

#endif
