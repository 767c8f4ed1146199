/* Learning by a kept solver, based on counts of iterations and products so that it is the same on every
 * device.
 *
 * The next solve begins with the row that converged, before the list. If that row fails, or takes more than
 * 64 products plus twice those of the solve in which it was learned, the list follows.
 *
 * Experience decides between the diagonal and the preconditioner chosen for CG. The list begins with the
 * latter once, in modelled time, it would have saved the cost of its set-up over the solves with these
 * values, or over the last solve if A has new values. */
#ifndef VKS_SOLVERS_AUTO_LEARN_H
#define VKS_SOLVERS_AUTO_LEARN_H

#include "solvers/auto/strategy.h"

/* Learns from a solve that has ended; `target`: the goal of its residual, relative to the norm of b. */
void strategies_learn(struct strategies *l, const vks_solve_report *r, double target);

/* Notes that A has new values, which require another set-up. */
void experience_forget_values(struct experience *e);

#endif
