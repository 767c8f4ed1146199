/* The kernel argument types that are shared by kernels: each stands for a device address. kernels.h declares
 * all other types by their names in the shaders.
 *
 * Outside the host twins they are distinct incomplete pointers: swapped arguments do not compile, and host
 * code cannot dereference a device address. In a twin (compiled with REAL) they are real pointers. */
#ifndef VKS_DEVICE_KERNEL_TYPES_H
#define VKS_DEVICE_KERNEL_TYPES_H

#include <stdint.h>

/* X(name, the pointee in a twin) */
#define KERNEL_ARRAYS(X)                                              \
    X(u32s, uint32_t)                                                 \
    X(reals, real)                                                    \
    X(values, stored)                                                 \
    X(doubles, double)                                                \
    X(pairs, struct pair)                                             \
    X(pair_sums, struct pair)                                         \
    X(sums, scalar_t)                                                 \
    X(sums64, wide_t)                                                 \
    X(tickets, uint32_t)                                              \
    X(partials, void) /* items of the kind that the kernel reduces */ \
    X(parts, void)    /* numbers of the kind that the kernel scans */ \
    X(published, uint32_t)

/* X(name, the pointee, its name in the shader) */
#define KERNEL_VALUES(X)     \
    X(guard, uint32_t, word) \
    X(zeros, uint32_t, word) \
    X(number, scalar_t, value)

#ifdef REAL

#if REAL == 64
typedef double real;
#else
typedef float real;
#endif
typedef real scalar_t; /* an element of a vector or a matrix; a real is a magnitude */
typedef double wide_t; /* an element in double precision */
#ifndef STORED
#define STORED REAL
#endif
#if STORED == 64
typedef double stored;
#else
typedef float stored;
#endif

#ifdef ONE_BODY /* host/each.h: x.at[i] and alpha.value, as in a shader */
#define ARRAY(name, pointee) \
    typedef struct {         \
        pointee *at;         \
    } name;
#define VALUE(name, pointee, member) \
    struct name {                    \
        pointee member;              \
    };                               \
    typedef struct name *name;
#else
#define ARRAY(name, pointee) typedef pointee *name;
#define VALUE(name, pointee, member) typedef pointee *name;
#endif

#else

#define ARRAY(name, pointee) typedef struct opaque_##name *name;
#define VALUE(name, pointee, member) typedef struct opaque_##name *name;

#endif

KERNEL_ARRAYS(ARRAY)
KERNEL_VALUES(VALUE)
#undef ARRAY
#undef VALUE

_Static_assert(sizeof(u32s) == 8, "device addresses are 64-bit, and so must pointers be");

#endif
