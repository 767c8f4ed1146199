/* Reading of the system. */
#ifndef VKS_COMMAND_SOLVE_LOAD_H
#define VKS_COMMAND_SOLVE_LOAD_H

#include "command/solve/job.h"

/* Reads A, finds its properties and chooses the method, and reads or makes b. */
vks_status solve_load(struct message *m, struct solve_job *job);

#endif
