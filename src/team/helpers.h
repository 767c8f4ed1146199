/* Threads that run errands in parallel with a device's work, such as making pipelines ahead of use. Only
 * helpers_rest waits for errands. */
#ifndef VKS_TEAM_HELPERS_H
#define VKS_TEAM_HELPERS_H

#include <stdbool.h>
#include <stdint.h>

struct helpers;

/* The first member of a struct that describes an errand. Exactly one of its functions is called, once. */
struct errand {
    void (*run)(struct errand *);  /* by a helper */
    void (*drop)(struct errand *); /* called instead of run, once the work has ended; NULL: nothing to do */
    struct errand *next;
};

/* Creates up to `most` threads, which start when errands need them. NULL: `most` is 0, or out of memory. */
struct helpers *helpers_create(uint32_t most);

/* Adds an errand, to be run next or last. Thread-safe, even from a helper. */
void helpers_add(struct helpers *h, struct errand *j, bool is_next);

/* Ends the work: drops the errands that have not begun, and waits for the others. False: some are still
 * running after `seconds`. */
bool helpers_rest(struct helpers *h, double seconds);

/* Ends the threads, which must be idle. NULL is allowed. */
void helpers_destroy(struct helpers *h);

#endif
