/* vksolve/version.h -- the version of these headers, and how a program works with a library of another
 * version.
 *
 * A program that was compiled with headers of 0.3 or later runs with every later library. Structs that a
 * call takes grow only at their ends. The call passes the version of its headers, and the library
 * reads and writes only the members of that version. `vks_solve(...)` in C and C++ does so automatically.
 * Other languages call the exported symbols: docs/abi.md.
 *
 * Structs that other structs hold or point to, and elements of arrays in structs, never grow.
 *
 * Only a new major or minor version changes structs. A library refuses the calls of programs with headers of
 * a later one: VKS_UNSUPPORTED, and the message has both versions. */
#ifndef VKSOLVE_VERSION_H
#define VKSOLVE_VERSION_H

#include "vksolve/status.h"
#include <stdint.h>

/* 10000 major + 100 minor + patch: 300 is 0.3.0. The build takes the version of the library from here. */
#define VKS_HEADER 300u

/* Follows the prototype of a call with structs: its name, arguments and parameters. The library exports
 * name_as, which serves a program whose headers have version `header`; name passes VKS_HEADER. */
#ifndef VKS_CALL
#define VKS_CALL(name, arguments, ...)                          \
    vks_status name##_as(uint32_t header, __VA_ARGS__) VKS_API; \
    static inline vks_status name(__VA_ARGS__)                  \
    {                                                           \
        return name##_as(VKS_HEADER, VKS_LIST_ arguments);      \
    }
#define VKS_LIST_(...) __VA_ARGS__
#endif

#endif
