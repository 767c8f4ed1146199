/* Threads that run errands beside the work of a device, such as making pipelines ahead of use. Only the end
 * waits for errands. */
#ifndef VKS_TEAM_HELPERS_H
#define VKS_TEAM_HELPERS_H

#include <stdbool.h>
#include <stdint.h>

struct helpers;

/* The first member of a struct that describes an errand. Exactly one of its functions is called, once. */
struct errand {
    void (*run)(struct errand *);  /* by a helper */
    void (*drop)(struct errand *); /* instead of run, after the end; NULL: nothing to do */
    struct errand *next;
};

/* Up to `most` threads, started as errands need them. NULL: `most` is 0, or out of memory. */
struct helpers *helpers_create(uint32_t most);

/* Adds an errand, to be run next or last. Thread-safe, also for helpers. */
void helpers_add(struct helpers *h, struct errand *j, bool is_next);

/* Ends the work: drops the errands that have not begun, and waits for the others. False: some are still
 * running after `seconds`. */
bool helpers_rest(struct helpers *h, double seconds);

/* Ends the threads, which must be idle. NULL is allowed. */
void helpers_destroy(struct helpers *h);

#endif
