/* The rule of `vksolve solve --device auto`: whether the processor or a GPU solves a system faster. A GPU
 * takes some microseconds to begin the kernels of an iteration, however little they do; the processor
 * finishes small systems in that time. docs/measurements/host.md, "Small systems", has the measurements. */
#ifndef VKS_COMMAND_SOLVE_DEVICE_CHOICE_H
#define VKS_COMMAND_SOLVE_DEVICE_CHOICE_H

#include "vksolve/vector.h"
#include <stdbool.h>
#include <stdint.h>

struct solve_size {
    uint32_t rows;
    uint64_t entries;
    vks_precision precision; /* the one in which the host would solve */
    bool eliminates;         /* eliminates the whole system once, as dense; else iterates */
};

/* Seconds of an iteration of conjugate gradients with the diagonal, or of the elimination. */
struct solve_costs {
    double host, gpu;
};

/* The costs on a host with this many threads, and on a GPU like the measured one. Memory traffic of an
 * iteration is counted as in CSR. Pure. */
struct solve_costs solve_expect(const struct solve_size *size, uint32_t threads);

#endif
