/* The device of a solve. */
#ifndef VKS_COMMAND_SOLVE_DEVICE_H
#define VKS_COMMAND_SOLVE_DEVICE_H

#include "command/solve/job.h"

/* Opens the device that --device names. auto: the host if no GPU would be faster. Also sets the default of
 * --rtol, which depends on the precision. After a failure the caller destroys the context, if there is one.
 */
vks_status solve_open_device(struct message *m, struct solve_job *job, vks_context **context);

#endif
