/* A matrix that is named on a command line: a file, or a model problem. */
#ifndef VKS_CLI_PROBLEM_H
#define VKS_CLI_PROBLEM_H

#include "sparse/host_csr.h"
#include <stdbool.h>

/* Whether `what` names a model problem of cli/generate_matrix.h, as "poisson3d:64" does, whatever its size.
 */
bool problem_is_model(const char *what);

/* The matrix that `what` names: a model problem, else a Matrix Market file. *a is the caller's, zeroed on
 * failure: VKS_INVALID_ARGUMENT where the size of a model problem is none, else those of generate_matrix,
 * market_read and host_csr_assemble. */
vks_status problem_load(struct message *m, const char *what, struct host_csr *a);

#endif
