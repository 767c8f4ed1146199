/* The implementations of public calls with structs: beside name and name_2 (vksolve/version.h), each such
 * call has name_now, which knows today's structs alone. src/abi/ makes name_2 of it. */
#ifndef VKS_ABI_NOW_H
#define VKS_ABI_NOW_H

#ifdef VKSOLVE_VERSION_H
#error "abi/now.h stands before all other headers"
#endif

#define VKS_CALL(name, arguments, ...)  \
    vks_status name##_now(__VA_ARGS__); \
    VKS_CALL_INLINE_(name, arguments, __VA_ARGS__)

#include "vksolve/vksolve.h"

#endif
