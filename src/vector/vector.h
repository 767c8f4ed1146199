/* Internals of a vks_vector. */
#ifndef VKS_VECTOR_VECTOR_H
#define VKS_VECTOR_VECTOR_H

#include "device/context.h"
#include "device/record.h"
#include "primitive/array.h"

struct vks_vector {
    vks_context *context;
    vks_precision precision;
    uint32_t n;
    struct memory memory;
    struct vks_array array; /* the same memory, for the primitives */
    vks_vector *whole;      /* the owner of the memory if this is a view; else NULL */
    uint32_t views;         /* number of views on this memory */
    bool is_gone;           /* destroyed, but views remain */
};

static inline reals vector_address(const vks_vector *v)
{
    return (reals)(uintptr_t)v->memory.address;
}

/* Checks the length and the precision. */
vks_status vector_check(vks_context *context, uint32_t n, vks_precision precision);
/* Begins a call, and checks that both have the same context, precision and length. */
vks_status vectors_check(const vks_vector *x, const vks_vector *y);
/* Makes a vector of `memory`, and takes ownership of the memory. */
vks_status vector_in_memory(vks_context *context, uint32_t n, vks_precision precision, struct memory memory,
                            vks_vector **vector);

/* y = value. */
vks_status fill_by_call(vks_context *context, vks_precision precision, reals y, uint32_t n, double value);

/* Converts `count` values between precisions, rounding to nearest. */
void convert_values(vks_precision from_precision, const void *from, vks_precision to_precision, void *to,
                    size_t count);

/* The first of `count` values that does not fit into a pair of floats; or count. */
uint64_t first_out_of_range(vks_precision of_values, const void *values, uint64_t count);

/* Writes (reads) `count` values of another precision, in pieces, from (to) host memory. A device without
 * 64-bit floats stores f64 as pairs of 32-bit floats, into which the values must fit. */
vks_status upload_values(struct device *d, struct memory *m, vks_precision on_device, uint64_t first,
                         uint64_t count, vks_precision of_values, const void *values);
vks_status download_values(struct device *d, const struct memory *m, vks_precision on_device, uint64_t first,
                           uint64_t count, vks_precision of_values, void *values);

#endif
