/* The residual of a solution, in long double. */
#ifndef VKS_TESTS_FUZZ_HONEST_H
#define VKS_TESTS_FUZZ_HONEST_H

#include "system.h"

struct residual {
    long double
        norm; /* of b - A x; of c + M x - x; of a singular system, b without its part in the null space */
    long double of_b;  /* the norm of that b */
    long double bound; /* the allowed difference from a norm computed in double precision */
};

/* The residual of x. `singular`: the system is solved as a singular one. */
struct residual residual_of(const struct system *s, const double *x, bool fixed_point, bool singular);

/* Reports false statements in the report of the solve that gave x. */
void check_report(const struct system *s, const double *x, const vks_solve_options *o, bool fixed_point,
                  const vks_solve_report *report, const char *where);

#endif
