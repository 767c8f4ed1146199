/* One matrix, from its file to the report. */
#ifndef VKS_COMMAND_SOLVE_ONE_H
#define VKS_COMMAND_SOLVE_ONE_H

#include "command/solve/job.h"

/* Frees the contents of the job. Returns the exit code. */
int solve_one(struct solve_job *job);

#endif
