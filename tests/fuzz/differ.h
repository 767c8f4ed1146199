/* The differential harness: one function for each comparison. Each makes a system from r, computes it
 * everywhere, and reports differences (findings.h). */
#ifndef VKS_TESTS_FUZZ_DIFFER_H
#define VKS_TESTS_FUZZ_DIFFER_H

#include "places.h"

/* Counts of completed work. */
struct counted {
    unsigned long products, solves, converged;
};
extern struct counted counted;

void differ_products(const struct places *p, struct random *r);
void differ_solves(const struct places *p, struct random *r);
void differ_preconds(const struct places *p, struct random *r);
void differ_operators(const struct places *p, struct random *r);

#endif
