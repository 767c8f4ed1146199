/* The times at which the host polled a solve, batch by batch, and its progress. */
#ifndef VKS_COMMAND_SOLVE_LOOKS_H
#define VKS_COMMAND_SOLVE_LOOKS_H

#include "vksolve/solver.h"

/* When the arrays are full, every second poll is dropped, and from then on only every second one is kept. */
enum { LOOKS = 128 };
struct looks {
    uint32_t seen, every; /* one of `every` is kept; 0 means 1 */
    int count;
    double iteration[LOOKS], seconds[LOOKS]; /* ascending */
};

void looks_add(struct looks *l, const vks_progress *p);

/* The iteration of a solve at a time, by linear interpolation between polls. The solve took `iterations` and
 * `seconds` in all. */
double looks_iteration(const struct looks *l, double iterations, double seconds, double time);

#endif
