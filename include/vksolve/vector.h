/* vksolve/vector.h -- vectors on the device.
 *
 * Calls are synchronous, except in a context with vks_context_options.deferred. The data only moves with
 * _write and _read. The order of every sum depends on the length alone (docs/internals/sums.md), so the bits
 * are the same on every device that passes vks_context_selftest. The error of a sum grows with log n, not n.
 *
 * Threads: see vksolve/context.h. */
#ifndef VKSOLVE_VECTOR_H
#define VKSOLVE_VECTOR_H

#include "vksolve/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The floats of a vector or matrix on the device, or of values in host memory. VKS_MIXED is only for matrices
 * (vksolve/matrix.h).
 *
 * On a device without 64-bit floats (vks_device_info.f64) vectors and matrices of VKS_F64 are pairs of 32-bit
 * floats whose sums are the values: 49 bits of each, in the range of f32, 1.4e-45 to 3.4e+38 in magnitude.
 * They can be made, written, read, filled and copied, and be the A, b and x of solves, which iterate in f32
 * there (vks_method_refines). All other calls refuse them: VKS_UNSUPPORTED. A value outside that range is
 * VKS_LIMIT; the message names it, and nothing is written. Zeros, infinities and NaN are kept. Below 1e-23 in
 * magnitude values are kept to fewer bits, with an absolute error of 1e-45, or 1e-38 if the device treats
 * denormals as zero. */
typedef enum vks_precision { VKS_F64, VKS_F32, VKS_MIXED } vks_precision;

/* The largest number of rows, columns or elements, and of entries of a matrix: 4,278,190,080. */
#define VKS_LARGEST_INDEX 0xFF000000u

typedef struct vks_vector vks_vector;

/* A vector of n elements (0 .. VKS_LARGEST_INDEX), all zero. Destroy it with vks_vector_destroy.
 * VKS_LIMIT: n is too large. VKS_INVALID_ARGUMENT: VKS_MIXED. VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY. */
vks_status vks_vector_create(vks_context *context, uint32_t n, vks_precision precision,
                             vks_vector **vector) VKS_API;

/* NULL is allowed. */
void vks_vector_destroy(vks_vector *vector) VKS_API;

uint32_t vks_vector_length(const vks_vector *vector) VKS_API;
vks_precision vks_vector_precision(const vks_vector *vector) VKS_API;

/* Copies elements first .. first + count - 1 from (to) host memory, whose values are of the given precision.
 * If the vector has another one, they are converted, rounding to nearest. VKS_INVALID_ARGUMENT: the range
 * exceeds the vector. VKS_LIMIT: as for vks_precision; the message names the element, from 0. */
vks_status vks_vector_write(vks_vector *vector, uint32_t first, uint32_t count, vks_precision of_values,
                            const void *values) VKS_API;
vks_status vks_vector_read(const vks_vector *vector, uint32_t first, uint32_t count, vks_precision of_values,
                           void *values) VKS_API;

/* x = value, rounded to the precision of x. VKS_LIMIT: as for vks_precision. */
vks_status vks_vector_fill(vks_vector *x, double value) VKS_API;

/* y = x; y = y + alpha x. Equal lengths and precisions, else VKS_INVALID_ARGUMENT. x may be y. */
vks_status vks_vector_copy(const vks_vector *x, vks_vector *y) VKS_API;
vks_status vks_vector_axpy(double alpha, const vks_vector *x, vks_vector *y) VKS_API;

/* *result = x . y; the Euclidean norm of x; the sum of x: computed in the vectors' precision, 0 for n = 0.
 * The norm is the root of the sum of squares: it overflows if that sum does. VKS_UNSUPPORTED, also for
 * vks_vector_axpy: pairs of floats (vks_precision). */
vks_status vks_vector_dot(const vks_vector *x, const vks_vector *y, double *result) VKS_API;
vks_status vks_vector_norm2(const vks_vector *x, double *result) VKS_API;
vks_status vks_vector_sum(const vks_vector *x, double *result) VKS_API;

#ifdef __cplusplus
}
#endif
#endif
