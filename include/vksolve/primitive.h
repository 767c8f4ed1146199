/* vksolve/primitive.h -- the parallel building blocks on arrays (vksolve/array.h) that live on the device.
 *
 * Each call is synchronous, takes arrays of one context, and gives the same bits on every device that passes
 * vks_context_selftest: sums and products of floats are taken in an order that the length alone decides.
 * Unsigned words are added and multiplied modulo 2^32; nothing is told where that happens.
 *
 * Every call can end as VKS_INVALID_ARGUMENT (a type, length, range or context that does not fit; the message
 * says which), VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY, VKS_DEVICE_LOST or VKS_TIMEOUT; what it writes is then
 * undefined. An array to be written must not be one that is read, unless it says so.
 *
 * Threads: as vksolve/context.h says. */
#ifndef VKSOLVE_PRIMITIVE_H
#define VKSOLVE_PRIMITIVE_H

#include "vksolve/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Reductions ----
 * In the library: sums and norms of solvers (canonical order), the number of entries of a product, the span
 * of indices to be sorted. Source: W. D. Hillis, G. L. Steele, "Data parallel algorithms" (1986). */

/* X(NAME, text) */
#define VKS_REDUCTIONS(X) \
    X(SUM, "sum")         \
    X(PRODUCT, "product") \
    X(MIN, "minimum")     \
    X(MAX, "maximum")

#define VKS_REDUCTION_ENUM_(NAME, text) VKS_REDUCE_##NAME,
typedef enum vks_reduction { VKS_REDUCTIONS(VKS_REDUCTION_ENUM_) VKS_REDUCTION_COUNT_ } vks_reduction;
#undef VKS_REDUCTION_ENUM_

/* Which elements meet first:
 *   HALVING     in a tile of 256 the j-th and the (j + 128)-th, then those 64, 32 ... 1 apart, missing ones
 *               counting as neutral; the results of the tiles likewise. Its sum has the bits of
 * vks_vector_sum NEIGHBOURS  the first and the second, the third and the fourth, and so on; the results
 * likewise, a last one without a neighbour going on as it is. The order is kept */
typedef enum vks_pairing { VKS_PAIRING_HALVING, VKS_PAIRING_NEIGHBOURS, VKS_PAIRING_COUNT_ } vks_pairing;

/* *result = the reduction of x, a value of x's type: F64, F32 or U32. The sum of no elements is 0, their
 * product 1; they have no minimum and no maximum (VKS_INVALID_ARGUMENT). Of sums and products of floats the
 * error grows with log n. Minimum and maximum are by the order of vks_min_max, whatever the pairing. */
VKS_API vks_status vks_reduce(const vks_array *x, vks_reduction reduction, vks_pairing pairing, void *result);

/* The least and the largest element of x (F64, F32 or U32; one at least), values of its type, and the index
 * where each stands first; any of the four may be NULL. One pass with three comparisons for two elements:
 * T. H. Cormen, C. E. Leiserson, R. L. Rivest, C. Stein, "Introduction to algorithms", section 9.1.
 * Floats are ordered -infinity ... -0, +0 ... infinity, NaN; every NaN is the same. So a NaN is the largest
 * element wherever there is one, and the least only where there is nothing else. */
VKS_API vks_status vks_min_max(const vks_array *x, void *least, uint32_t *least_at, void *largest,
                               uint32_t *largest_at);

/* result[4] = x_0 x_1 ... x_(n-1), 2 x 2 matrices by rows in an array of 4 n floats; the identity for n = 0.
 * By pairs of neighbours, because matrices do not commute: what a linear recurrence such as y_i = a y_(i-1) +
 * b comes to. VKS_INVALID_ARGUMENT: the length of x is no multiple of 4. */
VKS_API vks_status vks_matrix2_product(const vks_array *x, void *result);

/* "sum"; "?" outside the list. */
VKS_API const char *vks_reduction_text(vks_reduction reduction);

#ifdef __cplusplus
}
#endif
#endif
