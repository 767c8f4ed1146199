/* VKS_PRECOND_AUTO: how long the diagonal is tried before A is looked at, and what follows, and why. It knows
 * the matrix and one fixed model of time, so the attempts are the same on every device. */
#ifndef VKS_SOLVERS_RULE_H
#define VKS_SOLVERS_RULE_H

#include "solvers/attempts.h"

/* Matrices with up to this number of rows get the diagonal alone. */
enum { RULE_FEW_ROWS = 1024 };

/* Iterations with the diagonal before A is looked at. 0: none; ATTEMPT_REST: it never is. `why` says this in
 * words; after the look it is that of rule_choose. */
uint32_t rule_look_after(const struct rule_facts *f, char *why, size_t size);

/* What suits A beside the diagonal, and why. All facts are known. */
struct rule_choice {
    uint32_t precond; /* ATTEMPT_...; ATTEMPT_JACOBI: nothing does */
    uint32_t jacobi;  /* iterations with the diagonal before it, and before the look, if there are any */
};
struct rule_choice rule_choose(const struct rule_facts *f, char *why, size_t size);

/* The row of a preconditioner that was chosen. */
struct attempt rule_row(const struct rule_facts *f, uint32_t precond);

/* Whether the choice is natural blocks; and whether it would be, if their share of the diagonal sufficed. */
bool rule_wants_blocks(const struct rule_facts *f);
bool rule_wants_share(const struct rule_facts *f);

#endif
