/* Modelled times, by which attempts are chosen: counts of what they do, times the rates of one machine of
 * each kind, never clocks. The kind of device is a fact (facts.h), so that the choice is the same on all
 * devices of a kind. */
#ifndef VKS_SOLVERS_AUTO_TIMES_H
#define VKS_SOLVERS_AUTO_TIMES_H

#include "solvers/auto/facts.h"

/* Microseconds. */
struct times {
    double jacobi, multigrid; /* of an iteration of conjugate gradients */
    double setup;             /* of multigrid */
};

struct times times_of(const struct facts *f);

/* Iterations with multigrid that are counted on. */
enum { EXPECTED_ITERATIONS = 15 };

/* The analysis of A by the sparse direct method, before it is made; and its factors and a solution, as the
 * analysis promises. */
double time_of_analysis(const struct facts *f);
double time_of_factors(const struct facts *f);

#endif
