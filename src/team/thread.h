/* Threads of the library. They block all signals, which belong to the program's threads, except faults that
 * the caller does not block, which still reach the program's handlers. */
#ifndef VKS_TEAM_THREAD_H
#define VKS_TEAM_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* Starts a thread with `stack` bytes of stack. False: the thread could not be started. */
bool thread_start(pthread_t *out, size_t stack, void *(*body)(void *), void *of);

#endif
