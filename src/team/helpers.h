/* Threads that do jobs beside the work of a device, such as making pipelines ahead of use. Nothing waits for
 * a job but the end. */
#ifndef VKS_TEAM_HELPERS_H
#define VKS_TEAM_HELPERS_H

#include <stdbool.h>
#include <stdint.h>

struct helpers;

/* The first member of what describes a job. One of its functions is called, once. */
struct job {
    void (*run)(struct job *);  /* by a helper */
    void (*drop)(struct job *); /* in place of run, after the end; NULL: nothing is to be done */
    struct job *next;
};

/* Up to `most` threads, started as jobs need them. NULL: `most` is 0, or there is no memory. */
struct helpers *helpers_create(uint32_t most);

/* Hands over a job, the next or the last one. Any thread may do so, a helper too. */
void helpers_add(struct helpers *h, struct job *j, bool is_next);

/* The end: drops the jobs that have not begun, and waits for the others. False: some go on after so many
 * seconds. */
bool helpers_rest(struct helpers *h, double seconds);

/* Ends the threads, which rest. NULL is allowed. */
void helpers_destroy(struct helpers *h);

#endif
