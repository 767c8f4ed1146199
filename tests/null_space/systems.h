/* Random systems that are singular, nearly singular, or only claimed to be. */
#ifndef VKS_TESTS_NULL_SPACE_SYSTEMS_H
#define VKS_TESTS_NULL_SPACE_SYSTEMS_H

#include <stdint.h>

/* A splitmix64 generator. */
struct random {
    uint64_t state;
};

uint32_t below(struct random *r, uint32_t n);                /* 0 ... n - 1 */
double unit(struct random *r);                               /* in [0, 1) */
double around(struct random *r);                             /* in [-1, 1) */
double decades(struct random *r, double least, double most); /* 10^least ... 10^most */

enum { MOST_NODES = 196, MOST_VECTORS = 6 };

struct claimed {
    const char *kind;
    uint32_t n, vectors;
    double *a; /* n x n */
    double *v; /* the claimed basis of the null space, one vector after the other */
};

/* One of the kinds, drawn from r; its values are rounded to floats if `floats`. The caller frees a and v. */
struct claimed claimed_create(struct random *r, int floats);
void claimed_free(struct claimed *q);

#endif
