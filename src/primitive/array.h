/* Internals of a vks_array, and the checks that primitives make. */
#ifndef VKS_PRIMITIVE_ARRAY_H
#define VKS_PRIMITIVE_ARRAY_H

#include "device/context.h"
#include "device/record.h"
#include "vksolve/array.h"

struct vks_array {
    vks_context *context;
    vks_type type;
    uint32_t n;
    struct memory memory;
    bool borrowed; /* a vector owns and releases the memory */
};

static inline u32s array_words(const vks_array *a)
{
    return (u32s)(uintptr_t)a->memory.address;
}

static inline reals array_reals(const vks_array *a)
{
    return (reals)(uintptr_t)a->memory.address;
}

/* Sets every element to the value at `value`. */
vks_status array_fill(vks_array *a, const void *value);

/* VKS_INVALID_ARGUMENT, with both types in the message, unless the array has one of the `allowed` types (a
 * bit 1 << type for each); also if it belongs to another context. `what` names the array: "the keys". */
vks_status array_check(const vks_array *a, vks_context *context, uint32_t allowed, const char *what);

/* VKS_INVALID_ARGUMENT unless the array has n elements. */
vks_status array_check_length(const vks_array *a, uint32_t n, const char *what);

#endif
