/* The null space of an A that is said to be singular. */
#ifndef VKS_SOLVERS_NULL_SPACE_H
#define VKS_SOLVERS_NULL_SPACE_H

#include "device/record.h"
#include "vector/vector.h"

struct solve;

struct null_space {
    uint32_t count;       /* vectors; 0: A is not singular */
    struct memory wide;   /* orthonormal, one after the other, in doubles */
    struct memory narrow; /* in f32, where x is */
    struct memory parts;  /* that the host sees: a number for each vector, and as many of A x */
    double image;         /* the largest ||A v|| */
    struct reduction reduction;
    struct rec keep_x_out;
};

/* Makes the vectors orthonormal, and prepares to keep x out of what they span. */
vks_status null_space_setup(struct solve *s, reals x);
/* Refuses them where A times one is not zero, with the values that A has now. */
vks_status null_space_check(struct solve *s);
/* Takes from y its parts along them, which are left in `parts`. */
void null_space_record(struct rec *r, const struct solve *s, doubles y);
/* Measures the parts of A x along them; the norm of these once that has run, or 0. */
void null_space_record_image(struct rec *r, const struct solve *s, doubles image);
double null_space_part_of_image(const struct solve *s);
/* Frees all, also after a failure. */
void null_space_release(struct solve *s);

#endif
