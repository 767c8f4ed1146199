/* What a kept solver learns from a solve, by counts of iterations and products, so that it learns the same on
 * every device.
 *
 * The next solve begins with the row that converged, before the list. If that fails or takes more than twice
 * the products of the solve that led to it, the list follows.
 *
 * Between the diagonal and the preconditioner that is chosen for CG experience decides: the list begins with
 * the latter as soon as, by the model of times, it would have saved its set-up in the solves with these
 * values; or in the last solve, where A has new values. */
#ifndef VKS_SOLVERS_AUTO_LEARN_H
#define VKS_SOLVERS_AUTO_LEARN_H

#include "solvers/auto/strategy.h"

/* At the end of a solve; target: of its residual, over the norm of b. */
void strategies_learn(struct strategies *l, const vks_solve_report *r, double target);

/* A has new values, so another set-up is to be paid for. */
void experience_forget_values(struct experience *e);

#endif
