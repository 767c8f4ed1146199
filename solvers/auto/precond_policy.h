/* VKS_PRECOND_AUTO: how long the diagonal is tried before A is looked at, and which preconditioner follows,
 * and why. It goes by the facts and a fixed model of time (times.h). */
#ifndef VKS_SOLVERS_AUTO_PRECOND_POLICY_H
#define VKS_SOLVERS_AUTO_PRECOND_POLICY_H

#include "solvers/auto/facts.h"
#include "vksolve/methods.h"

/* Matrices with up to this number of rows get the diagonal alone. */
enum { FEW_ROWS = 1024 };

/* All iterations that the solve has left. */
#define NO_BUDGET UINT32_MAX

/* Iterations with the diagonal before A is looked at. 0: A is looked at first; NO_BUDGET: never. `why` says
 * this in words; after the look it is that of precond_choose. */
uint32_t first_budget(const struct facts *f, char *why, size_t size);

/* What suits A beside the diagonal, and why. The signs and the share are known. */
struct precond_choice {
    vks_precond_kind precond; /* JACOBI: nothing does */
    uint32_t jacobi;          /* iterations with the diagonal before it, unless A was looked at first */
};
struct precond_choice precond_choose(const struct facts *f, char *why, size_t size);

/* Whether the choice is natural blocks; and whether it would be, if their share of the diagonal sufficed. */
bool chooses_blocks(const struct facts *f);
bool share_matters(const struct facts *f);

/* Microseconds of an iteration by the model. */
double iteration_time(const struct facts *f, vks_precond_kind precond);

#endif
