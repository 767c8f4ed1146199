/* The tables of twins: twins_f64_v3[KERNEL_dot] is dot in double precision for x86-64-v3. */
#ifndef VKS_HOST_TWINS_H
#define VKS_HOST_TWINS_H

#include "team/team.h"
#include "twins_isas.h" /* generated: VKS_ISAS(X), X(name) in ascending order of preference */

typedef team_body host_twin;

#define X(isa) extern const host_twin twins_f32_##isa[], twins_f64_##isa[], twins_mixed_##isa[];
VKS_ISAS(X)
#undef X

#endif
