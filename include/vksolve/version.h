/* vksolve/version.h -- the version of these headers, and how a program works with a library of another
 * version.
 *
 * A program runs with every library that is at least as new as its headers. Structs of
 * options and reports grow only at their ends. A call with such structs passes the version of its headers,
 * and the library reads and writes only the members of that version. `vks_solve(...)` in C and C++ does so
 * automatically. Other languages call the numbered symbols: docs/abi.md.
 *
 * Only a new major or minor version changes structs. A library refuses the calls of programs with headers of
 * a later one: VKS_UNSUPPORTED, and the message has both versions. */
#ifndef VKSOLVE_VERSION_H
#define VKSOLVE_VERSION_H

#include "vksolve/status.h"
#include <stdint.h>

/* 10000 major + 100 minor + patch: 200 is 0.2.0. The build takes the version of the library from here. */
#define VKS_HEADER 200u

/* Declares a call with structs that may grow: its name, its arguments and its parameters. The library exports
 * name_2, whose first parameter is the version of the caller's headers; name passes VKS_HEADER. */
#ifndef VKS_CALL
#define VKS_CALL(name, arguments, ...) VKS_CALL_INLINE_(name, arguments, __VA_ARGS__)
#endif

/* The same for a call of 0.1.0. The library exports name, too, for programs that were compiled with the
 * headers of 0.1.0: its structs are those of 0.1.0 for ever. */
#ifndef VKS_CALL_0_1
#define VKS_CALL_0_1(name, arguments, ...) VKS_CALL(name, arguments, __VA_ARGS__)
#endif

#define VKS_LIST_(...) __VA_ARGS__
#define VKS_CALL_INLINE_(name, arguments, ...)                 \
    VKS_API vks_status name##_2(uint32_t header, __VA_ARGS__); \
    static inline vks_status name(__VA_ARGS__)                 \
    {                                                          \
        return name##_2(VKS_HEADER, VKS_LIST_ arguments);      \
    }

#endif
