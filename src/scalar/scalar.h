/* The scalar types. Each type is a row of this table; the columns hold the properties that depend on it.
 * cmake/kernels.cmake reads it too. docs/internals/scalars.md lists other effects of a new type. */
#ifndef VKS_SCALAR_SCALAR_H
#define VKS_SCALAR_SCALAR_H

#include "vksolve/vector.h"

#include <float.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* X(NAME, name, type, element, real, stored, limits, rtol)
 *   NAME     PRECISION_NAME here, VKS_NAME for callers
 *   name     in texts, and in the names of kernel variants
 *   type     the C type of an element of a vector
 *   element  the row of these elements
 *   real     the row of their magnitudes: norms, tolerances
 *   stored   the row of matrix entries in memory
 *   limits   the prefix of the limits of `real` in <float.h>
 *   rtol     the tolerance of solves whose caller gives none */
#define SCALAR_TYPES(X)                           \
    X(F32, f32, float, F32, F32, F32, FLT, 1e-5)  \
    X(F64, f64, double, F64, F64, F64, DBL, 1e-8) \
    X(MIXED, mixed, double, F64, F64, F32, DBL, 1e-8)

/* The scalar type in which a recording computes; indexes all tables of code. Every kernel is compiled for the
 * types of vectors, and kernels that take `values` for the other types as well. */
enum precision {
#define X(NAME, name, type, element, real, stored, limits, rtol) PRECISION_##NAME,
    SCALAR_TYPES(X)
#undef X
        PRECISIONS,
    REAL_PRECISIONS = PRECISION_MIXED /* the types of vectors come first */
};

struct scalar_type {
    const char *name;
    uint32_t bytes; /* of an element */
    enum precision element, real, stored;
    vks_precision choice; /* the caller's value */
    int digits;           /* binary digits after the first one, of real */
    int largest_exponent; /* of real: the exponent of the largest power of two */
    double roundoff;      /* of real: half the distance from 1 to the next number */
    double largest;       /* of real */
    double rtol;
};

static const struct scalar_type scalar_types[] = {
#define X(NAME, name_, type, element_, real_, stored_, limits, rtol_) \
    [PRECISION_##NAME] = {.name = #name_,                             \
                          .bytes = sizeof(type),                      \
                          .element = PRECISION_##element_,            \
                          .real = PRECISION_##real_,                  \
                          .stored = PRECISION_##stored_,              \
                          .choice = VKS_##NAME,                       \
                          .digits = limits##_MANT_DIG - 1,            \
                          .largest_exponent = limits##_MAX_EXP - 1,   \
                          .roundoff = (double)limits##_EPSILON / 2,   \
                          .largest = (double)limits##_MAX,            \
                          .rtol = rtol_},
    SCALAR_TYPES(X)
#undef X
};

/* The type that a caller chose; F64 if p is invalid, which calls refuse. */
static inline enum precision scalar_chosen(vks_precision p)
{
    static const enum precision types[] = {
#define X(NAME, name, type, element, real, stored, limits, rtol) [VKS_##NAME] = PRECISION_##NAME,
        SCALAR_TYPES(X)
#undef X
    };
    return (size_t)p < sizeof types / sizeof *types ? types[p] : PRECISION_F64;
}

/* The size of a vector element. */
static inline uint32_t real_bytes(enum precision p)
{
    return scalar_types[p].bytes;
}

/* The size of a matrix entry. */
static inline uint32_t value_bytes(enum precision p)
{
    return scalar_types[scalar_types[p].stored].bytes;
}

/* The precision of vectors and of everything except matrix entries. */
static inline enum precision real_precision(enum precision p)
{
    return scalar_types[p].element;
}

/* The precision of magnitudes: the index of tables of tolerances. */
static inline enum precision magnitude_precision(enum precision p)
{
    return scalar_types[p].real;
}

/* The precision in which to record kernels that only move entries. */
static inline enum precision stored_precision(enum precision p)
{
    return scalar_types[p].stored;
}

/* Element i of a list in memory, at any alignment. */
static inline double scalar_get(enum precision p, const void *list, size_t i)
{
    switch (p) {
#define X(NAME, name, type, element, real, stored, limits, rtol)             \
    case PRECISION_##NAME: {                                                 \
        type value;                                                          \
        memcpy(&value, (const char *)list + i * sizeof value, sizeof value); \
        return (double)value;                                                \
    }
        SCALAR_TYPES(X)
#undef X
    default:
        return 0;
    }
}

/* Writes `value`, rounded to the type. */
static inline void scalar_put(enum precision p, void *list, size_t i, double value)
{
    switch (p) {
#define X(NAME, name, type, element, real, stored, limits, rtol)             \
    case PRECISION_##NAME: {                                                 \
        type rounded = (type)value;                                          \
        memcpy((char *)list + i * sizeof rounded, &rounded, sizeof rounded); \
        return;                                                              \
    }
        SCALAR_TYPES(X)
#undef X
    default:
        return;
    }
}

/* Convert lists to and from doubles. */
static inline void scalar_read(enum precision p, const void *list, size_t count, double *out)
{
    switch (p) {
#define X(NAME, name, type, element, real, stored, limits, rtol) \
    case PRECISION_##NAME: {                                     \
        const type *from = list;                                 \
        for (size_t i = 0; i < count; i++)                       \
            out[i] = (double)from[i];                            \
        return;                                                  \
    }
        SCALAR_TYPES(X)
#undef X
    default:
        return;
    }
}

static inline void scalar_write(enum precision p, void *list, size_t count, const double *in)
{
    switch (p) {
#define X(NAME, name, type, element, real, stored, limits, rtol) \
    case PRECISION_##NAME: {                                     \
        type *to = list;                                         \
        for (size_t i = 0; i < count; i++)                       \
            to[i] = (type)in[i];                                 \
        return;                                                  \
    }
        SCALAR_TYPES(X)
#undef X
    default:
        return;
    }
}

static inline double scalar_round(enum precision p, double value)
{
    double rounded[1];
    scalar_put(p, rounded, 0, value);
    return scalar_get(p, rounded, 0);
}

#endif
