/* The C that the generator writes. */
#ifndef GENERATE_EMIT_H
#define GENERATE_EMIT_H

#include "kernels.h"

/* kernels.h: the enum, the list, and each kernel's argument struct. */
void emit_header(struct text *t, const struct kernels *k);

/* kernels.c: the table of kernels and their SPIR-V; equal code stands there once. */
void emit_table(struct text *t, const struct kernels *k);

#endif
