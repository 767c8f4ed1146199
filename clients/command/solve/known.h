/* The x that is known where there is no --rhs, because b is A times that x: ones; with --singular, where ones
 * give zero and x has no mean, a ramp from -1 in the first row to 1 in the last. */
#ifndef VKS_COMMAND_SOLVE_KNOWN_H
#define VKS_COMMAND_SOLVE_KNOWN_H

#include "command/solve/job.h"

const char *solve_known_name(const struct solve_job *job);

/* Makes job->b. */
vks_status solve_multiply_known(struct message *m, struct solve_job *job);

/* Fills in job->error_vs_known. */
void solve_compare_with_known(struct solve_job *job);

/* After a solve: warns if b is zero, which x = 0 solves whatever A is. */
void solve_warn_of_zero(struct solve_job *job);

#endif
