/* --plot */
#ifndef VKS_COMMAND_SOLVE_PLOT_H
#define VKS_COMMAND_SOLVE_PLOT_H

#include "command/solve/job.h"

/* Draws the history. */
vks_status solve_plot(struct message *m, struct solve_job *job);

#endif
