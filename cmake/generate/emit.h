/* The C that the generator writes. */
#ifndef GENERATE_EMIT_H
#define GENERATE_EMIT_H

#include "kernels.h"

/* kernels.h: the enum, the list, and each kernel's argument struct. */
void emit_header(struct text *t, const struct kernels *k);

/* arguments.h: the arguments of each kernel, for host/each.h: VALUE(number, alpha) for the address of one
 * value, ADDRESS(reals, x) for an array or a word. Guards and addresses of zeros are left out. */
void emit_arguments(struct text *t, const struct kernels *k);

/* kernels.c: the table of kernels and their SPIR-V; equal code is stored once. */
void emit_table(struct text *t, const struct kernels *k);

#endif
