/* The progress line on a terminal, redrawn in place and erased at the end. */
#ifndef VKS_COMMAND_SOLVE_LIVE_H
#define VKS_COMMAND_SOLVE_LIVE_H

#include "vksolve/solver.h"
#include <stdbool.h>

/* The smallest residual so far, sampled evenly over the solve. When the arrays are full, every second sample
 * is dropped and the interval doubles. */
enum { TRAIL = 64 };
struct trail {
    double seconds[TRAIL], log_residual[TRAIL]; /* log10 */
    int count;
    double spacing, smallest;
};

enum { LIVE_LEFT = 40 };
struct live {
    bool on, is_there;              /* whether lines are wanted, and whether one is on the screen */
    double drawn, iterations_drawn; /* seconds and iterations at the last drawing */
    const char *shared;             /* `what` of the last live_share, */
    double begun, share_drawn;      /* when it began, and when it was last drawn */
    double rate;                    /* iterations in a second, smoothed */
    struct trail trail;
};

/* Draws nothing unless stderr is a terminal that can erase a line. */
void live_begin(struct live *l, bool wanted);
/* May be called at any rate: it draws at most ten times a second. */
void live_show(struct live *l, const vks_progress *p);
/* Draws a step that has begun, such as "reading a.mtx". */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void live_stage(struct live *l, const char *format, ...);
/* Records that a share of the work `what` is done after `seconds`. True if the line should be drawn now;
 * `left` is then an estimate such as "about 3 s to go". */
bool live_share(struct live *l, const char *what, double share, double seconds, char left[LIVE_LEFT]);
/* Erases the line. */
void live_end(struct live *l);

/* Estimates the seconds from p until its target is reached, from the fall of the residual over the last half
 * of the solve. Negative if unknown. */
double trail_estimate(const struct trail *t, const vks_progress *p);
void trail_add(struct trail *t, const vks_progress *p);

#endif
