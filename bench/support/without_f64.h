/* Devices that act as ones without 64-bit floats, for bench_solve_bits. */
#ifndef VKS_BENCH_WITHOUT_F64_H
#define VKS_BENCH_WITHOUT_F64_H

#include "vksolve/context.h"

/* vks_context_create with an internal option of the tests; no public call opens such a device. */
vks_status open_without_f64(const vks_context_options *o, vks_context **context);

#endif
