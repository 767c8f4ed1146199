/* Whether f32 can hold the system. */
#ifndef VKS_COMMAND_SOLVE_RANGE_H
#define VKS_COMMAND_SOLVE_RANGE_H

#include "command/solve/job.h"

/* VKS_INVALID_ARGUMENT: the solve is in f32, which cannot hold the element that the message names. */
vks_status solve_check_range(struct message *m, const struct solve_job *job);

/* Sets job->in_f32. With --precision mixed, iterations are in f32 if f32 can hold A. On a device without f64
 * they always are; the upload then reports values that f32 cannot hold. */
void solve_choose_iterations(struct solve_job *job);

#endif
