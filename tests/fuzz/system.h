/* Random systems A x = b, and products y = A x. */
#ifndef VKS_TESTS_FUZZ_SYSTEM_H
#define VKS_TESTS_FUZZ_SYSTEM_H

#include "random.h"
#include "tests/support/own.h"
#include "vksolve/vksolve.h"

#include <stddef.h>

struct system {
    uint32_t rows, cols;
    uint32_t *row, *col;
    double *val;
    double *x; /* cols: the operand, or the initial guess */
    double *b; /* rows */
    vks_precision precision;
    bool singular; /* claimed to be singular, with these vectors; none: the constants */
    uint32_t null_count;
    double *null_vector[2];
    /* Solves may produce denormal numbers, which Vulkan devices may flush to zero. */
    bool rough;
    const char *kind;
};

/* calloc that cannot fail. At least one element. */
void *room_for(size_t count, size_t bytes);

/* The value in the precision of the matrix. */
double as_stored(vks_precision p, double value);

/* A matrix of any shape and values, with x. Values and x are rounded to the precision. */
struct system random_product(struct random *r);

/* A square system with b and the guess x. */
struct system random_system(struct random *r);

/* A square matrix with at most 256 entries in a row and less than 12 on average, with b and x. */
struct system random_short_rows(struct random *r);

void system_free(struct system *s);

#endif
