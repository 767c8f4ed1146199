/* Rehearsals of solves (device/rehearsal.h). */
#ifndef VKS_SOLVERS_SOLVE_REHEARSE_H
#define VKS_SOLVERS_SOLVE_REHEARSE_H

#include "vksolve/vksolve.h"

struct host_csr;

/* Makes the pipelines that a solve with A will need. */
void rehearse_solve(const vks_matrix *A, const vks_solve_options *o);

/* Makes the pipelines that storing and solving a matrix will need, before it is on the device. Its arrays
 * have been checked. */
void rehearse_all(vks_context *c, const struct host_csr *a, const vks_matrix_options *of_matrix,
                  const vks_solve_options *o);

#endif
