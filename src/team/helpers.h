/* Threads that do errands beside the work of a device, such as making pipelines ahead of use. Nothing waits
 * for an errand but the end. */
#ifndef VKS_TEAM_HELPERS_H
#define VKS_TEAM_HELPERS_H

#include <stdbool.h>
#include <stdint.h>

struct helpers;

/* The first member of what describes an errand. One of its functions is called, once. */
struct errand {
    void (*run)(struct errand *);  /* by a helper */
    void (*drop)(struct errand *); /* in place of run, after the end; NULL: nothing is to be done */
    struct errand *next;
};

/* Up to `most` threads, started as errands need them. NULL: `most` is 0, or there is no memory. */
struct helpers *helpers_create(uint32_t most);

/* Hands over an errand, the next or the last one. Any thread may do so, a helper too. */
void helpers_add(struct helpers *h, struct errand *j, bool is_next);

/* The end: drops the errands that have not begun, and waits for the others. False: some go on after so many
 * seconds. */
bool helpers_rest(struct helpers *h, double seconds);

/* Ends the threads, which rest. NULL is allowed. */
void helpers_destroy(struct helpers *h);

#endif
