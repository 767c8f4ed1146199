/* The times at which the host polled a solve, batch by batch, and its progress. */
#ifndef VKS_COMMAND_SOLVE_POLLS_H
#define VKS_COMMAND_SOLVE_POLLS_H

#include "vksolve/solver.h"

/* When the arrays are full, every second poll is dropped, and from then on only every second one is kept. */
enum { MOST_POLLS = 128 };
struct polls {
    uint32_t seen, every; /* one of `every` is kept; 0 means 1 */
    int count;
    double iteration[MOST_POLLS], seconds[MOST_POLLS]; /* ascending */
};

void polls_add(struct polls *l, const vks_progress *p);

/* The iteration of a solve at a time, by linear interpolation between polls. The solve took `iterations` and
 * `seconds` in all. */
double polls_iteration(const struct polls *l, double iterations, double seconds, double time);

#endif
