/* Whether f32 can hold the system. */
#ifndef VKS_COMMAND_SOLVE_RANGE_H
#define VKS_COMMAND_SOLVE_RANGE_H

#include "command/solve/job.h"

/* VKS_INVALID_ARGUMENT: the system is to be solved in f32, which cannot hold the element that the message
 * names. */
vks_status solve_check_range(struct message *m, const struct solve_job *job);

/* Sets job->in_f32. With --precision mixed iterations are in f32 if that can hold A; on a device without f64
 * always, and the upload reports what cannot be held. */
void solve_choose_iterations(struct solve_job *job);

#endif
