/* --compare: the same system by another solver, on the CPU. */
#ifndef VKS_COMMAND_SOLVE_COMPARE_H
#define VKS_COMMAND_SOLVE_COMPARE_H

#include "command/solve/job.h"

/* Fills in job->comparison. */
vks_status solve_compare(struct message *m, struct solve_job *job);

#endif
