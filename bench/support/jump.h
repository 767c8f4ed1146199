/* A model problem with jumping coefficients, for benchmarks. */
#ifndef VKS_BENCH_JUMP_H
#define VKS_BENCH_JUMP_H

#include "command/models/problem.h"

/* problem_load, which also accepts "jump3d:N[:CONTRAST]": the 7-point grid of poisson3d:N whose cells are 1
 * or the contrast (default: 1000), by a hash of bricks of 8 x 8 x 8 cells. A face has the harmonic mean of
 * its two cells. */
vks_status problem_load_or_jump(struct message *m, const char *what, struct host_csr *a);
/* The values of poisson3d:N with such cells. */
void jump_values(uint32_t size, double contrast, struct host_csr *a);

#endif
