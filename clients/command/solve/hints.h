/* What to try after a solve that failed. */
#ifndef VKS_COMMAND_SOLVE_HINTS_H
#define VKS_COMMAND_SOLVE_HINTS_H

#include "command/solve/job.h"

/* A line for each hint. */
void solve_print_hints(const struct solve_job *job, FILE *to);

#endif
