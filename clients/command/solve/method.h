/* The choice of the method from what is known of A. */
#ifndef VKS_COMMAND_SOLVE_METHOD_H
#define VKS_COMMAND_SOLVE_METHOD_H

#include "command/solve/job.h"
#include "entries/check.h"

/* Notes what A is like, sets job->set.method if --precond or --singular decide it, and warns of what speaks
 * against the method. */
void solve_choose(struct solve_job *job, const struct csr_findings *f);

#endif
