/* Checks between files: names, twins, and the variants of one shader. */
#ifndef GENERATE_CHECK_H
#define GENERATE_CHECK_H

#include "kernels.h"

void check_names(const struct paths *shaders, struct problems *p);
void check_twins(const struct manifest *m, struct problems *p);

/* Checks that all variants of a kernel have one interface: the host has one struct for all of them. */
void check_variants(const struct kernels *k, const struct kernel *kernel, struct problems *p);

/* Checks which kernels take values against the manifest of the build. */
void check_values(const struct kernel *k, struct problems *p);

#endif
