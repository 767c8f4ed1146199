/* Modelled times for the choice of strategies: counts of operations times the rates of one machine of each
 * kind, never clocks. The kind of device is a fact (facts.h), so all devices of a kind choose alike. */
#ifndef VKS_SOLVERS_AUTO_TIMES_H
#define VKS_SOLVERS_AUTO_TIMES_H

#include "solvers/auto/facts.h"

/* Microseconds. */
struct times {
    double jacobi, multigrid; /* of an iteration of conjugate gradients */
    double setup;             /* of multigrid */
};

struct times times_of(const struct facts *f);

/* Expected iterations with multigrid. */
enum { EXPECTED_ITERATIONS = 15 };

/* Time of the analysis by the sparse direct method, before it runs; time of its factors and a solution, as
 * promised by the analysis. */
double time_of_analysis(const struct facts *f);
double time_of_factors(const struct facts *f);

#endif
