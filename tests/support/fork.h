#ifndef VKS_TESTS_SUPPORT_FORK_H
#define VKS_TESTS_SUPPORT_FORK_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Whether a thread of this process sleeps in the kernel. A thread that has ended counts as sleeping. */
static inline bool thread_sleeps(const char *id)
{
    char path[300], line[512] = "";
    snprintf(path, sizeof path, "/proc/self/task/%s/stat", id);
    FILE *f = fopen(path, "r");
    if (!f)
        return true;
    const char *name_end = fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
    fclose(f);
    return !name_end || !strncmp(name_end, ") S", 3);
}

static inline bool others_sleep(void)
{
    bool all = true;
    DIR *tasks = opendir("/proc/self/task");
    if (!tasks)
        return true;
    for (const struct dirent *e; (e = readdir(tasks));)
        all &= e->d_name[0] == '.' || atoi(e->d_name) == getpid() || thread_sleeps(e->d_name);
    closedir(tasks);
    return all;
}

/* Forks once all threads except the calling main thread sleep, or after ten seconds. AddressSanitizer's
 * runtime holds locks while a thread starts. A child that inherits such a lock waits for it forever. */
static inline pid_t fork_asleep(void)
{
    for (int i = 0; i < 10000 && !others_sleep(); i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return fork();
}

#endif
