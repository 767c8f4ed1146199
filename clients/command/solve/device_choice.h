/* Which of the processor and a GPU solves a system faster: the rule of `vksolve solve --device auto`. A GPU
 * takes some microseconds to begin the kernels of an iteration, however little they do, and the processor has
 * done small systems by then. docs/measurements/host.md, "Small systems", has the measurements. */
#ifndef VKS_COMMAND_SOLVE_DEVICE_CHOICE_H
#define VKS_COMMAND_SOLVE_DEVICE_CHOICE_H

#include "vksolve/vector.h"
#include <stdbool.h>
#include <stdint.h>

struct solve_size {
    uint32_t rows;
    uint64_t entries;
    vks_precision precision; /* in which the host would solve */
    bool eliminates;         /* the whole system once, as a dense one; else it iterates */
};

/* Seconds of an iteration of conjugate gradients with the diagonal, or of the elimination. */
struct solve_costs {
    double host, gpu;
};

/* On a host with so many threads, and on a GPU like those that were measured. What an iteration moves is
 * counted as in CSR. Pure. */
struct solve_costs solve_expect(const struct solve_size *size, uint32_t threads);

#endif
