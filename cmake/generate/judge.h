/* What must hold between files: names, twins, and the variants of one shader. */
#ifndef GENERATE_JUDGE_H
#define GENERATE_JUDGE_H

#include "kernels.h"

void judge_names(const struct paths *shaders, struct problems *p);
void judge_twins(const struct manifest *m, struct problems *p);

/* The reflected variants of one kernel have one interface: the host has one struct for all of them. */
void judge_variants(const struct kernels *k, const struct kernel *kernel, struct problems *p);

/* The build has seen which kernels take values. */
void judge_values(const struct kernel *k, struct problems *p);

#endif
