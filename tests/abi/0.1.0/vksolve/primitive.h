/* vksolve/primitive.h -- the parallel building blocks on arrays (vksolve/array.h) that live on the device.
 *
 * Each call is synchronous, takes arrays of one context, and gives the same bits on every device that passes
 * vks_context_selftest: sums and products of floats are taken in an order that the length alone decides. Not
 * so on software devices (Vulkan on a processor) that end long loops without a word, as llvmpipe does after
 * 65,535 turns: there weighted histograms of tens of millions of floats lack some (docs/gpu.md).
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
 * Their job in the library: the number of entries of a product, the range of the indices to be sorted.
 * Source: W. D. Hillis, G. L. Steele, "Data parallel algorithms" (1986). */

/* X(NAME, text) */
#define VKS_REDUCTIONS(X) \
    X(SUM, "sum")         \
    X(PRODUCT, "product") \
    X(MIN, "minimum")     \
    X(MAX, "maximum")

#define VKS_REDUCTION_ENUM_(NAME, text) VKS_REDUCE_##NAME,
typedef enum vks_reduction { VKS_REDUCTIONS(VKS_REDUCTION_ENUM_) VKS_REDUCTION_COUNT_ } vks_reduction;
#undef VKS_REDUCTION_ENUM_

/* Which elements meet first, and the results likewise, until one is left. */
typedef enum vks_pairing {
    /* In a tile of 256 the j-th and the (j + 128)-th, then those 64, 32 ... 1 apart, missing ones counting as
     * neutral; then tiles of 256 results. The sum has the bits of vks_vector_sum. */
    VKS_PAIRING_HALVING,
    /* The first and the second, the third and the fourth, and so on; a last one without a neighbour goes on
     * as it is. The order is kept. */
    VKS_PAIRING_NEIGHBOURS,
    VKS_PAIRING_COUNT_
} vks_pairing;

/* *result = the reduction of x, a value of x's type: F64, F32 or U32. The sum of no elements is 0, their
 * product 1; they have no minimum and no maximum (VKS_INVALID_ARGUMENT). Of sums and products of floats the
 * error grows with log n. Minimum and maximum are by the order of vks_min_max, whatever the pairing. */
VKS_API vks_status vks_reduce(const vks_array *x, vks_reduction reduction, vks_pairing pairing, void *result);

/* The least and the largest element of x (F64, F32 or U32; one at least), values of its type, and the index
 * where each stands first; any of the four may be NULL. One pass with three comparisons for two elements:
 * T. H. Cormen, C. E. Leiserson, R. L. Rivest, C. Stein, "Introduction to algorithms", section 9.1.
 * Floats are ordered -infinity ... -0, +0 ... infinity, NaN; every NaN is the same, and comes back as one
 * fixed pattern, whatever its bits. So a NaN is the largest element wherever there is one, and the least only
 * where there is nothing else; vks_sort tells NaNs apart by their sign and bits. */
VKS_API vks_status vks_min_max(const vks_array *x, void *least, uint32_t *least_at, void *largest,
                               uint32_t *largest_at);

/* result[4] = x_0 x_1 ... x_(n-1), 2 x 2 matrices by rows in an array of 4 n floats; the identity for n = 0.
 * By pairs of neighbours, because matrices do not commute: what a linear recurrence such as y_i = a y_(i-1) +
 * b comes to. VKS_INVALID_ARGUMENT: the length of x is no multiple of 4. */
VKS_API vks_status vks_matrix2_product(const vks_array *x, void *result);

/* "sum"; "?" outside the list. */
VKS_API const char *vks_reduction_text(vks_reduction reduction);

/* ---- Prefix sums ----
 * Their job in the library: row offsets from row lengths, places to write to when entries are dropped or
 * joined. Sources: G. E. Blelloch, "Prefix sums and their applications" (1990); of the one pass, D. Merrill,
 * M. Garland, "Single-pass parallel prefix scan with decoupled look-back" (2016), with a bound on every wait,
 * and for floats in one order. */

/* y[i] = x[0] + ... + x[i], or without x[i] itself: then y[0] = 0. */
typedef enum vks_scan_kind { VKS_SCAN_INCLUSIVE, VKS_SCAN_EXCLUSIVE, VKS_SCAN_COUNT_ } vks_scan_kind;

/* y = the prefix sums of x: U32 (modulo 2^32), F32 or F64, y of x's type and length. y may be x. The offsets
 * of n rows are the exclusive sums of n lengths and a zero after them. GPUs take one pass over memory unless
 * y is x; otherwise x is read twice. A sum of floats went through at most 51 + n / 131,072 additions one upon
 * the other: its error is, to first order, at most that many units of rounding of the sum of |x|, where that
 * of a loop is n. The exclusive sums of floats need not be the inclusive ones moved on: they may be rounded
 * otherwise. */
VKS_API vks_status vks_scan(const vks_array *x, vks_scan_kind kind, vks_array *y);

/* The same within segments: sums start anew at each element whose index is in `offsets` (U32, in any order,
 * repeated or beyond the end as may be). The row offsets of a CSR matrix are such a list; empty rows do no
 * harm. */
VKS_API vks_status vks_scan_segments(const vks_array *x, const vks_array *offsets, vks_scan_kind kind,
                                     vks_array *y);

/* ---- Histograms ----
 * Their job in the library: the lengths of rows, by which rows are told apart that need different kernels.
 * Source: V. Podlozhnyuk, "Histogram calculation in CUDA" (2007): bins of each workgroup, added up at its
 * end. */

/* bins[v] = how many of the values are v, or where there are weights the sum of theirs. The values are U32;
 * `bins` decides by its length which there are, and is all overwritten. *outside (unless NULL), of the type
 * of the bins, becomes the same for all values that are no bin. Weights are NULL, U32 (sums modulo 2^32), F32
 * or F64, as many as the values; bins are then of that type, and U32 without. Sums of floats have an order
 * that depends on the number of values alone, and take time by values times bins: a few hundred bins are a
 * good use of that. VKS_LIMIT: with floats, more than 65,536 bins, or values times
 * bins above 2^36. */
VKS_API vks_status vks_histogram(const vks_array *values, const vks_array *weights, vks_array *bins,
                                 void *outside);

/* bins[v] = how many of the differences offsets[i + 1] - offsets[i] are v: the lengths of the rows of a CSR
 * matrix, from its row offsets (U32). Bins and *outside are U32. */
VKS_API vks_status vks_histogram_lengths(const vks_array *offsets, vks_array *bins, uint32_t *outside);

#ifdef __cplusplus
}
#endif
#endif
