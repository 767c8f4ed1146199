/* The device of a solve. */
#ifndef VKS_COMMAND_SOLVE_DEVICE_H
#define VKS_COMMAND_SOLVE_DEVICE_H

#include "command/solve/job.h"
#include <pthread.h>

/* A GPU that a thread opens while the matrix is read. */
struct opening {
    bool is_under_way;
    pthread_t thread;
    const char *name;
    vks_context_options options;
    struct message message;
    vks_status status;
    vks_context *context;
    vks_device_info device;
};

/* Begins to open the GPU that --device names; with auto, if the file is so large that a GPU is likely. */
void solve_begin_opening(const struct solve_job *job, struct opening *o);
/* Closes the GPU, unless solve_open_device has taken it. */
void solve_end_opening(struct opening *o);

/* Opens the device that --device names; with auto the host if no GPU would be faster. Also sets the default
 * of --rtol, which depends on the precision. After a failure the caller destroys the context, if there is
 * one. */
vks_status solve_open_device(struct message *m, struct solve_job *job, struct opening *o,
                             vks_context **context);

#endif
