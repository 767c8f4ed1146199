/* --explain */
#ifndef VKS_COMMAND_SOLVE_EXPLAIN_H
#define VKS_COMMAND_SOLVE_EXPLAIN_H

#include "command/solve/job.h"

/* Prints the strategies that the given options would try. Returns the exit code. */
int solve_explain(struct solve_job *job);

#endif
