/* The report for human readers. */
#ifndef VKS_COMMAND_SOLVE_REPORT_H
#define VKS_COMMAND_SOLVE_REPORT_H

#include "command/solve/job.h"

void solve_print(const struct solve_job *job, FILE *to);

/* For several matrices: a heading, then a line for each. */
void solve_print_head(void);
void solve_print_line(const struct solve_job *job);

#endif
