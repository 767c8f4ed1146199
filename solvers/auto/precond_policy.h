/* VKS_PRECOND_AUTO: how long the diagonal is tried before A is inspected, which preconditioner follows, and
 * why. The facts and a fixed model of time (times.h) decide. */
#ifndef VKS_SOLVERS_AUTO_PRECOND_POLICY_H
#define VKS_SOLVERS_AUTO_PRECOND_POLICY_H

#include "solvers/auto/facts.h"
#include "vksolve/methods.h"

/* Matrices with at most this number of rows use the diagonal alone. */
enum { FEW_ROWS = 1024 };

/* No limit except that of the solve. */
#define NO_BUDGET UINT32_MAX

/* Iterations with the diagonal before A is inspected. 0: A is inspected first; NO_BUDGET: never. `why`
 * explains this; after the inspection, precond_choose replaces it. */
uint32_t first_budget(const struct facts *f, char *why, size_t size);

/* Preconditioner that suits A better than the diagonal, and why. The signs and the share must be known. */
struct precond_choice {
    vks_precond_kind precond; /* JACOBI: none suits better */
    uint32_t jacobi;          /* iterations with the diagonal before it, unless A was inspected first */
};
struct precond_choice precond_choose(const struct facts *f, char *why, size_t size);

/* Whether natural blocks are chosen; whether they would be if their share of the diagonal sufficed. */
bool chooses_blocks(const struct facts *f);
bool share_matters(const struct facts *f);

/* Modelled microseconds of an iteration. */
double iteration_time(const struct facts *f, vks_precond_kind precond);

#endif
