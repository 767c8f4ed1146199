/* The solve on the device. */
#ifndef VKS_COMMAND_SOLVE_RUN_H
#define VKS_COMMAND_SOLVE_RUN_H

#include "command/solve/job.h"

/* The options of the library's solve that the user gave. */
vks_solve_options solve_options(const struct solve_job *job);

/* Opens the device, solves, and reads x. */
vks_status solve_on_device(struct message *m, struct solve_job *job);

#endif
