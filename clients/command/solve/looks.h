/* The times at which the host looked at a solve, batch by batch, and its progress. */
#ifndef VKS_COMMAND_SOLVE_LOOKS_H
#define VKS_COMMAND_SOLVE_LOOKS_H

#include "vksolve/solver.h"

/* When the room is used up, every second look goes, and only every second one is kept from then on. */
enum { LOOKS = 128 };
struct looks {
    uint32_t seen, every; /* one of `every` has been kept; 0: one of one */
    int count;
    double iteration[LOOKS], seconds[LOOKS]; /* ascending */
};

void looks_add(struct looks *l, const vks_progress *p);

/* The iteration of a solve at a time, by linear interpolation between looks. It took `iterations` and
 * `seconds` in all. */
double looks_iteration(const struct looks *l, double iterations, double seconds, double time);

#endif
