/* The known x without --rhs, since b is then A times that x: ones. With --singular ones would give zero and x
 * has zero mean, so it is a ramp from -1 in the first row to 1 in the last. */
#ifndef VKS_COMMAND_SOLVE_KNOWN_H
#define VKS_COMMAND_SOLVE_KNOWN_H

#include "command/solve/job.h"

const char *solve_known_name(const struct solve_job *job);

/* Computes job->b. */
vks_status solve_multiply_known(struct message *m, struct solve_job *job);

/* Fills in job->error_vs_known. */
void solve_compare_with_known(struct solve_job *job);

/* After a solve: warns if b is zero, since x = 0 then solves the system whatever A is. */
void solve_warn_of_zero(struct solve_job *job);

#endif
