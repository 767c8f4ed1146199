/* How the threads of OpenMP wait for work. */
#ifndef VKS_CLI_WAITING_H
#define VKS_CLI_WAITING_H

#include <stdbool.h>

/* Starts the program anew, once, with threads that wait as suits the machine, unless the environment says how
 * to: they sleep at once where others want the cores, else they spin for some 20 us first. Returns where that
 * is not needed or not possible. */
void wait_fittingly(char **argv);

/* Whether `threads` threads find fewer idle cores, by a line of /proc/loadavg, which counts this process
 * among those that run. A line that cannot be read says yes. */
bool cores_are_wanted(const char *loadavg, int threads, int cores);

#endif
