/* An outcome of bench_solve_bits and bench_method_bits as a line: equal lines mean equal outcomes. */
#ifndef VKS_BENCH_BITS_LINE_H
#define VKS_BENCH_BITS_LINE_H

#include "support/bits_run.h"

enum { BITS_LINE = 1400 };

/* Appends reason, counts, hashes and messages to the line, separated by tabs, and with DEVICE for the name of
 * the device. */
void bits_append_outcome(char line[BITS_LINE], const struct bits_outcome *o, const char *device);

#endif
