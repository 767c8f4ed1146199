/* VKS_PRECOND_AUTO: which preconditioners are attempted, for how many iterations, and why. It knows the
 * matrix and one fixed model of time, so the attempts are the same on every device. */
#ifndef VKS_SOLVERS_RULE_H
#define VKS_SOLVERS_RULE_H

#include "solvers/attempts.h"
#include "solvers/signs.h"

/* The most rows for which multigrid is not attempted, and signs are not measured. */
enum { RULE_FEW_ROWS = 1024 };

struct rule_facts {
    uint32_t rows, entries;
    uint32_t bytes; /* of a real of the iterations */
    struct signs signs;
};

/* Fills in the rows of `to`, and the reason in words. */
void rule_apply(const struct rule_facts *f, struct attempts *to, char *why, size_t size);

/* Whether natural blocks are worth an attempt: rows for each of them. */
static inline bool rule_wants_blocks(uint32_t rows, uint32_t blocks)
{
    return 4 * (uint64_t)rows >= 5 * (uint64_t)blocks;
}

#endif
