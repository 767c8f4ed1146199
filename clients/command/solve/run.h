/* The solve on the device. */
#ifndef VKS_COMMAND_SOLVE_RUN_H
#define VKS_COMMAND_SOLVE_RUN_H

#include "command/solve/device.h"

/* The options of the library's solve that the user gave. */
vks_solve_options solve_options(const struct solve_job *job);

/* Opens the device, or takes the one that is being opened; solves, and reads x. */
vks_status solve_on_device(struct message *m, struct solve_job *job, struct opening *opening);

#endif
