/* Threads of the library. They block all signals, which are for the program's threads, but the faults that
 * the caller lets through: those stay open for the program's handlers. */
#ifndef VKS_TEAM_THREAD_H
#define VKS_TEAM_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* Starts a thread with so many bytes of stack. False: there is no thread. */
bool thread_start(pthread_t *out, size_t stack, void *(*body)(void *), void *of);

#endif
