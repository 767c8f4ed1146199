/* The tables of twins: twins_f64_v3[KERNEL_dot] is dot in double precision for x86-64-v3. */
#ifndef VKS_HOST_TWINS_H
#define VKS_HOST_TWINS_H

#include "team/team.h"
#include "twins_isas.h" /* generated: VKS_ISAS(X), X(name) in ascending order of preference; VKS_TWINS(X) */

typedef team_body host_twin;

#define X(NAME, name, isa) extern const host_twin twins_##name##_##isa[];
VKS_TWINS(X)
#undef X

#endif
