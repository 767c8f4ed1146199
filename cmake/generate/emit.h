/* The C that the generator writes. */
#ifndef GENERATE_EMIT_H
#define GENERATE_EMIT_H

#include "kernels.h"

/* kernels.h: the enum, the list, and each kernel's argument struct. */
void emit_header(struct text *t, const struct kernels *k);

/* arguments.h: the arguments of each kernel, for host/each.h: VALUE(number, alpha) where one value is behind
 * an address, ADDRESS(reals, x) for an array, and for a word. Guards and addresses of zeros are left out. */
void emit_arguments(struct text *t, const struct kernels *k);

/* kernels.c: the table of kernels and their SPIR-V; equal code stands there once. */
void emit_table(struct text *t, const struct kernels *k);

#endif
