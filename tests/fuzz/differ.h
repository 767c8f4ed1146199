/* The differential harness: one function for each thing that is compared. Each makes up a system by r,
 * computes it everywhere, and tells what differs (findings.h). */
#ifndef VKS_TESTS_FUZZ_DIFFER_H
#define VKS_TESTS_FUZZ_DIFFER_H

#include "places.h"

/* What was done so far. */
struct counted {
    unsigned long products, solves, converged;
};
extern struct counted counted;

void differ_products(const struct places *p, struct random *r);
void differ_solves(const struct places *p, struct random *r);
void differ_preconds(const struct places *p, struct random *r);
void differ_operators(const struct places *p, struct random *r);

#endif
