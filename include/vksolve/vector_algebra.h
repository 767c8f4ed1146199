/* vksolve/vector_algebra.h -- more operations on vectors, for programs with their own methods.
 *
 * All vectors of a call must have the same context, precision and length, except where noted; else
 * VKS_INVALID_ARGUMENT. VKS_UNSUPPORTED: pairs of floats (vksolve/vector.h). Results may be written over
 * operands. Every operation on elements rounds once for each of its arithmetic operations, to nearest, with
 * the same bits on every device that passes vks_context_selftest. In a deferred context calls that return no
 * value do not wait. VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY, VKS_DEVICE_LOST and VKS_TIMEOUT as always.
 *
 * Threads: see vksolve/context.h. */
#ifndef VKSOLVE_VECTOR_ALGEBRA_H
#define VKSOLVE_VECTOR_ALGEBRA_H

#include "vksolve/array.h"
#include "vksolve/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

/* x = alpha x; y = alpha x + beta y. Factors are rounded to the precision of the vectors. A factor of 0 is no
 * exception: 0 times infinity is NaN. */
vks_status vks_vector_scale(double alpha, vks_vector *x) VKS_API;
vks_status vks_vector_axpby(double alpha, const vks_vector *x, double beta, vks_vector *y) VKS_API;

/* Element by element: z = x y, z = x / y, y = 1 / x. */
vks_status vks_vector_multiply(const vks_vector *x, const vks_vector *y, vks_vector *z) VKS_API;
vks_status vks_vector_divide(const vks_vector *x, const vks_vector *y, vks_vector *z) VKS_API;
vks_status vks_vector_reciprocal(const vks_vector *x, vks_vector *y) VKS_API;

/* results[k] = x . y[k] for k < count, each with the bits of vks_vector_dot. Up to 32 of them take one
 * submission and one wait. count may be 0. */
vks_status vks_vector_dots(const vks_vector *x, uint32_t count, const vks_vector *const *y,
                           double *results) VKS_API;

/* Two steps of conjugate gradients, each in one kernel, with the bits of the single calls.
 *
 * vks_vector_axpy_multiply: y = y + alpha x, then z = d y element by element, dots[0] = z . y and
 * dots[1] = z . z. It moves 5 vectors; the four calls move 9. z may be x or d.
 *
 * vks_vector_axpy_aypx: y = y + alpha x, then x = z + beta x, both with the old x. It moves 5 vectors; the
 * two calls move 6. z is not x.
 *
 * VKS_INVALID_ARGUMENT if y is one of the other vectors. Views that overlap y are not detected. */
vks_status vks_vector_axpy_multiply(double alpha, const vks_vector *x, vks_vector *y, const vks_vector *d,
                                    vks_vector *z, double dots[2]) VKS_API;
vks_status vks_vector_axpy_aypx(double alpha, vks_vector *x, vks_vector *y, double beta,
                                const vks_vector *z) VKS_API;

/* Elements per chunk. The sum over a vector is the sum of its chunks' sums, however processes divide it. */
#define VKS_CHUNK 65536u

/* sums[k] = the part of x . y in the elements k VKS_CHUNK to (k + 1) VKS_CHUNK - 1, for each chunk that has
 * elements: length / VKS_CHUNK of them, rounded up.
 *
 * Several processes that share the elements of two vectors thus compute the dot product of the whole with the
 * bits of vks_vector_dot: each takes a part that begins at a multiple of VKS_CHUNK, they gather the sums of
 * all in the order of the elements, and each calls vks_sum_of_chunks. */
vks_status vks_vector_chunk_dots(const vks_vector *x, const vks_vector *y, double *sums) VKS_API;

/* The sum of `count` sums of chunks of the given precision, VKS_F64 or VKS_F32, by halving pairs as
 * docs/internals/sums.md says; 0 for count 0. Writes over `sums`. Pure: may be called from any thread. */
double vks_sum_of_chunks(vks_precision precision, double *sums, size_t count) VKS_API;

/* A view of the elements first .. first + n - 1 of x: another vector on the same memory, with a range of its
 * own. Writes to one are visible through the other. Destroy it with vks_vector_destroy; x may be destroyed
 * first, and its memory is freed with its last view. A call must not write to elements through one vector
 * that it reads at other places through another; and calls of other headers, such as products and solves,
 * take no vectors that overlap. Views of a vector on the program's own memory (vksolve/vulkan.h) are
 * destroyed before it. VKS_INVALID_ARGUMENT: the range exceeds x. */
vks_status vks_vector_view(vks_vector *x, uint32_t first, uint32_t n, vks_vector **view) VKS_API;

/* y[i] = x[index[i]], and x[index[i]] = y[i], for the elements i of y and of `index`, which is of
 * VKS_TYPE_U32 and as long as y; x may be of another length, and shares no memory with y. An index beyond x
 * gives NaN, and scatter ignores it. For a repeated index scatter stores any one of its values.
 * VKS_INVALID_ARGUMENT: `index` is of another type, length or context, or x and y differ in precision. */
vks_status vks_vector_gather(const vks_vector *x, const vks_array *index, vks_vector *y) VKS_API;
vks_status vks_vector_scatter(const vks_vector *y, const vks_array *index, vks_vector *x) VKS_API;

#ifdef __cplusplus
}
#endif
#endif
