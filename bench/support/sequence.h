/* Systems whose values change from step to step, for benchmarks. */
#ifndef VKS_BENCH_SEQUENCE_H
#define VKS_BENCH_SEQUENCE_H

#include "entries/host_csr.h"
#include "examples/support/heat_mesh.h"
#include "report/message.h"
#include <stdbool.h>

enum sequence_kind { SEQUENCE_HEAT, SEQUENCE_JUMP, SEQUENCE_COLUMNS, SEQUENCE_NEWTON, SEQUENCE_CONVECTION };

struct sequence {
    enum sequence_kind kind;
    const char *model; /* vksolve generate's; NULL: none */
    bool keeps_values; /* A stays */
    uint32_t size, steps;
    struct heat_mesh mesh; /* of heat */
    struct triplets t;     /* of heat: room for the terms of A */
    struct host_csr a;     /* A of the last step that was asked for, whose structure stays, */
    double *b;             /* and b */
    struct host_csr first; /* the model, where values differ from it */
};

/* "heat:RINGS" is examples/heat.c, whose conductivity follows the temperature. "jump3d:SIZE" is the problem
 * of jump.h, whose contrast grows by the same factor in each step, from 1 to 10^6; b is 1. "columns2d:SIZE"
 * and "columns3d:SIZE" are Poisson's equation with random b; "newton2d:SIZE", "newton3d:SIZE" have random
 * coefficients, which change by 5 per cent from step to step, too, and "convection2d:SIZE" adds convection to
 * them. After a failure sequence_free is to be called, too. */
vks_status sequence_open(struct message *m, const char *what, uint32_t steps, struct sequence *s);
void sequence_free(struct sequence *s);

uint32_t sequence_rows(const struct sequence *s);

/* A and b of step i, from the solution x of the step before. Step 0 of heat
 * begins with x = 0. */
vks_status sequence_step(struct message *m, struct sequence *s, uint32_t i, const double *x);

#endif
