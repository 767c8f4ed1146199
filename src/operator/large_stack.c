#define _POSIX_C_SOURCE 200809L
#include "operator/large_stack.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

struct job {
    vks_status (*work)(void *of);
    void *of;
    vks_status status;
};

static void *run(void *of)
{
    struct job *job = of;
    job->status = job->work(job->of);
    return NULL;
}

/* Starts the thread, which inherits the blocked signals. */
static int start(const pthread_attr_t *attributes, struct job *job, pthread_t *thread)
{
    sigset_t all, before;
    sigfillset(&all);
    int error = pthread_sigmask(SIG_SETMASK, &all, &before);
    if (error)
        return error;
    error = pthread_create(thread, attributes, run, job);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

vks_status on_large_stack(struct message *m, vks_status (*work)(void *of), void *of)
{
    struct job job = {work, of, VKS_OK};
    pthread_t thread;
    pthread_attr_t attributes;
    int error = pthread_attr_init(&attributes);
    if (!error) {
        error = pthread_attr_setstacksize(&attributes, LARGE_STACK);
        if (!error)
            error = start(&attributes, &job, &thread);
        pthread_attr_destroy(&attributes);
    }
    if (error)
        return fail(m, VKS_OUT_OF_MEMORY, "a thread with a stack of %d MiB cannot be made: %s",
                    LARGE_STACK >> 20, strerror(error));
    pthread_join(thread, NULL);
    return job.status;
}
