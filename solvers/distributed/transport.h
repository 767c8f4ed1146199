/* Calls of the program's functions (vksolve/partners.h); a failure of one process ends the solve in all. */
#ifndef VKS_SOLVERS_DISTRIBUTED_TRANSPORT_H
#define VKS_SOLVERS_DISTRIBUTED_TRANSPORT_H

#include "solvers/distributed/partners.h"
#include "vksolve/vector_algebra.h"

/* The most sums per chunk that a process contributes to a gathering. */
enum { MOST_ROWS = 2 };

static inline uint64_t rows_of(const vks_partners *with, uint32_t process)
{
    return with->first[process + 1] - with->first[process];
}

static inline uint64_t chunks_of(const vks_partners *with, uint32_t process)
{
    return (rows_of(with, process) + VKS_CHUNK - 1) / VKS_CHUNK;
}

/* Numbers that a process contributes: a word, and sums of its chunks. The word is its status or, numbered
 * after the statuses, a reason. */
static inline uint64_t gathered_of(const vks_partners *with, uint32_t process)
{
    return 1 + MOST_ROWS * chunks_of(with, process);
}

/* Gathers *status and the sums in p->own of all processes into p->all. Returns true if no process has failed.
 * Otherwise *status keeps this process's own failure or, if it had none, becomes the other's. */
bool transport_gather(struct partners *p, vks_status *status);

/* Begin the exchange of p->outgoing; wait for p->incoming. */
void transport_send(const struct partners *p, vks_status *status);
void transport_receive(const struct partners *p, vks_status *status);

#endif
