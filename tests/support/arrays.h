/* Arrays for the suites of the primitives: made from host values, and read through the public calls. */
#ifndef VKS_TESTS_ARRAYS_H
#define VKS_TESTS_ARRAYS_H

#include "tests/support/context.h"
#include "tests/support/data.h"
#include "vksolve/primitive.h"

static inline vks_array *new_array(vks_context *c, vks_type type, uint32_t n)
{
    vks_array *a = NULL;
    must_work(c, vks_array_create(c, n, type, &a));
    return a;
}

static inline vks_array *words(vks_context *c, const uint32_t *v, uint32_t n)
{
    vks_array *a = new_array(c, VKS_TYPE_U32, n);
    must_work(c, vks_array_write(a, 0, n, v));
    return a;
}

static inline float *narrowed(const double *v, size_t n)
{
    float *f = room(n, sizeof *f);
    for (size_t i = 0; i < n; i++)
        f[i] = (float)v[i];
    return f;
}

static inline vks_array *floats(vks_context *c, enum precision p, const double *v, uint32_t n)
{
    vks_array *a = new_array(c, p == PRECISION_F64 ? VKS_TYPE_F64 : VKS_TYPE_F32, n);
    OWNED(float) *f = narrowed(v, n);
    must_work(c, vks_array_write(a, 0, n, p == PRECISION_F64 ? (const void *)v : f));
    return a;
}

/* A float of an array's type, as a double. */
static inline double float_at(const vks_array *like, const void *value, size_t i)
{
    return vks_array_type(like) == VKS_TYPE_F64 ? ((const double *)value)[i]
                                                : (double)((const float *)value)[i];
}

static inline double *read_floats(vks_context *c, const vks_array *a)
{
    uint32_t n = vks_array_length(a);
    double *raw = room(n, 8), *values = room(n, 8);
    must_work(c, vks_array_read(a, 0, n, raw));
    guards_check(c->device);
    for (uint32_t i = 0; i < n; i++)
        values[i] = float_at(a, raw, i);
    free(raw);
    return values;
}

static inline uint32_t *read_array_words(vks_context *c, const vks_array *a)
{
    uint32_t *values = room(vks_array_length(a), 4);
    must_work(c, vks_array_read(a, 0, vks_array_length(a), values));
    guards_check(c->device);
    return values;
}

static inline double reduced(vks_context *c, const vks_array *a, vks_reduction reduction, vks_pairing pairing)
{
    double result = 7;
    must_work(c, vks_reduce(a, reduction, pairing, &result));
    return float_at(a, &result, 0);
}

struct found {
    double least, largest;
    uint32_t least_at, largest_at;
};

static inline struct found find(vks_context *c, const vks_array *a)
{
    struct found f = {0};
    double least = 0, largest = 0;
    must_work(c, vks_min_max(a, &least, &f.least_at, &largest, &f.largest_at));
    f.least = float_at(a, &least, 0);
    f.largest = float_at(a, &largest, 0);
    return f;
}

#endif
