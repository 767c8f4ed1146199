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
    const char *model; /* a name for vksolve generate; NULL for none */
    bool keeps_values; /* A does not change */
    uint32_t size, steps;
    struct heat_mesh mesh; /* of heat */
    struct triplets t;     /* for heat: memory for the terms of A */
    struct host_csr a;     /* A of the last requested step; its structure does not change, */
    double *b;             /* and b */
    struct host_csr first; /* the model, if values differ from it */
};

/* "heat:RINGS" is examples/heat.c, whose conductivity depends on the temperature. "jump3d:SIZE" is the
 * problem of jump.h, whose contrast grows by the same factor in each step, from 1 to 10^6; b is 1.
 * "columns2d:SIZE" and "columns3d:SIZE" are Poisson's equation with random b. "newton2d:SIZE" and
 * "newton3d:SIZE" also have random coefficients, which change by 5 per cent from step to step;
 * "convection2d:SIZE" adds convection to them. sequence_free is required even after a failure. */
vks_status sequence_open(struct message *m, const char *what, uint32_t steps, struct sequence *s);
void sequence_free(struct sequence *s);

uint32_t sequence_rows(const struct sequence *s);

/* A and b of step i, from the solution x of the previous step. Step 0 of heat begins with x = 0. */
vks_status sequence_step(struct message *m, struct sequence *s, uint32_t i, const double *x);

#endif
