/* vksolve/array.h -- arrays of numbers on the device, for the primitives (vksolve/primitive.h): keys,
 * offsets, counts and the like.
 *
 * An array holds n elements of one type. The data only moves with _write and _read, whose values are of the
 * array's own type; nothing is converted. U64 needs no 64-bit integers on the device: kernels use two words,
 * the lower first.
 *
 * Threads: see vksolve/context.h. */
#ifndef VKSOLVE_ARRAY_H
#define VKSOLVE_ARRAY_H

#include "vksolve/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(name, bytes of an element, text). The first two have the values of vks_precision. */
#define VKS_TYPES(X)                   \
    X(F64, 8, "64-bit floats")         \
    X(F32, 4, "32-bit floats")         \
    X(U32, 4, "32-bit unsigned words") \
    X(U64, 8, "64-bit unsigned words")

#define VKS_TYPE_ENUM_(name, bytes, text) VKS_TYPE_##name,
typedef enum vks_type { VKS_TYPES(VKS_TYPE_ENUM_) VKS_TYPE_COUNT_ } vks_type;
#undef VKS_TYPE_ENUM_

typedef struct vks_array vks_array;

/* An array of n elements (0 .. VKS_LARGEST_INDEX), all zero. Destroy it with vks_array_destroy.
 * VKS_LIMIT: n is too large. VKS_INVALID_ARGUMENT: type is not a vks_type. VKS_UNSUPPORTED: VKS_TYPE_F64 on a
 * device without 64-bit floats. VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY. */
vks_status vks_array_create(vks_context *context, uint32_t n, vks_type type, vks_array **array) VKS_API;

/* NULL is allowed. The array of a vector is destroyed with the vector, not here. */
void vks_array_destroy(vks_array *array) VKS_API;

uint32_t vks_array_length(const vks_array *array) VKS_API;
vks_type vks_array_type(const vks_array *array) VKS_API;

/* Copies elements first .. first + count - 1 from (to) host memory. VKS_INVALID_ARGUMENT: out of range. */
vks_status vks_array_write(vks_array *array, uint32_t first, uint32_t count, const void *values) VKS_API;
vks_status vks_array_read(const vks_array *array, uint32_t first, uint32_t count, void *values) VKS_API;

/* Sets every element to *value, which has the type of the array. */
vks_status vks_array_fill(vks_array *array, const void *value) VKS_API;

/* The elements of a vector as an array of F64 or F32: the same memory, for as long as the vector lives. If
 * the vector consists of pairs of floats (vksolve/vector.h), all calls refuse the array: VKS_UNSUPPORTED. */
vks_array *vks_vector_array(vks_vector *vector) VKS_API;

/* "F32", "?" outside the list; and the bytes of an element, 0 outside the list. */
const char *vks_type_name(vks_type type) VKS_API;
uint32_t vks_type_bytes(vks_type type) VKS_API;

#ifdef __cplusplus
}
#endif
#endif
