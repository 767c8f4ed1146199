/* --coordinates: the nodes of a vector problem, for multigrid. */
#ifndef VKS_COMMAND_SOLVE_NODES_H
#define VKS_COMMAND_SOLVE_NODES_H

#include "command/solve/job.h"

/* Reads the nodes and sets them in the options of the preconditioner. */
vks_status solve_take_nodes(struct message *m, struct solve_job *job);

#endif
