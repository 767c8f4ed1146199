/* A matrix named on a command line: a file or a model problem. */
#ifndef VKS_COMMAND_MODELS_PROBLEM_H
#define VKS_COMMAND_MODELS_PROBLEM_H

#include "entries/host_csr.h"
#include <stdbool.h>

/* Whether `what` names a model problem of generate_matrix.h, such as "poisson3d:64", or a graph of
 * powerlaw.h, "powerlaw:ROWS[:MEAN]" (default: 16 a row) or "powerlawspd:ROWS[:MEAN]" (8). The size may be
 * invalid. */
bool problem_is_model(const char *what);

/* The matrix that `what` names: a model problem or graph, else a Matrix Market file. The caller owns *a,
 * which is zeroed on failure. VKS_INVALID_ARGUMENT: the size is not a number; else the failures of
 * generate_matrix, powerlaw, market_read and host_csr_assemble. */
vks_status problem_load(struct message *m, const char *what, struct host_csr *a);

#endif
