/* Kinds of random numbers. */
#ifndef VKS_TESTS_FUZZ_VALUES_H
#define VKS_TESTS_FUZZ_VALUES_H

#include "random.h"
#include "vksolve/vector.h"

enum values {
    VALUES_PLAIN,
    VALUES_WHOLE,
    VALUES_WIDE,
    VALUES_EXTREME,
    VALUES_TINY,
    VALUES_SPECIAL,
    VALUES_COUNT
};

static inline enum values random_values(struct random *r)
{
    return (enum values)random_below(r, VALUES_COUNT);
}

const char *values_name(enum values kind);
double random_value(struct random *r, enum values kind);

/* Whether solves with such numbers may produce denormal ones, or overflow. */
bool values_rough(enum values kind, vks_precision p);

#endif
