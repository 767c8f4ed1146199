/* The vocabulary of the host twins. A twin has its shader's name and arguments, the same order of every sum,
 * and is compiled once for each precision (REAL, and STORED where it takes `values`) and instruction set
 * (ISA). */
#ifndef VKS_HOST_KERNEL_H
#define VKS_HOST_KERNEL_H

#include "kernels.h"
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define JOIN_(name, precision, isa) name##_##precision##_##isa
#define JOIN(name, precision, isa) JOIN_(name, precision, isa)
#if STORED != REAL
#define TWIN(name) JOIN(name, mixed, ISA)
#elif REAL == 64
#define TWIN(name) JOIN(name, f64, ISA)
#else
#define TWIN(name) JOIN(name, f32, ISA)
#endif

/* KERNEL(axpy) { ... a->x ... } defines the twin of axpy.comp with its arguments in `a`. */
#define KERNEL(name)                                      \
    static void name##_body(const struct name##_args *a); \
    void TWIN(name)(const void *args);                    \
    void TWIN(name)(const void *args)                     \
    {                                                     \
        name##_body(args);                                \
    }                                                     \
    static void name##_body(const struct name##_args *a)

#if REAL == 64
#define ROOT sqrt
#define FMA fma /* the library's, slow but right, where the instruction set has none */
#else
#define ROOT sqrtf
#define FMA fmaf
#endif

#define PRAGMA(text) _Pragma(#text)
/* Below this many turns the threads cost more than they bring. */
#define PARALLEL_FROM 2048
#define PARALLEL_FOR(i, n)                                              \
    PRAGMA(omp parallel for schedule(static) if ((n) >= PARALLEL_FROM)) \
    for (uint32_t i = 0; i < (n); i++)
/* t over the tiles of 256 */
#define FOR_TILES(t, tiles)                                                       \
    PRAGMA(omp parallel for schedule(static) if ((tiles) >= PARALLEL_FROM / 256)) \
    for (uint32_t t = 0; t < (tiles); t++)

#endif
