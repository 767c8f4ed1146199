/* The choice of the method from the properties of A. */
#ifndef VKS_COMMAND_SOLVE_METHOD_H
#define VKS_COMMAND_SOLVE_METHOD_H

#include "command/solve/job.h"
#include "entries/check.h"

/* Records the properties of A, sets job->set.method if --precond or --singular decide it, and warns if the
 * method is unsuitable. */
void solve_choose(struct solve_job *job, const struct csr_diagnoses *f);

#endif
