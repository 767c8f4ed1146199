/* vksolve/primitive.h -- parallel building blocks on arrays of the device (vksolve/array.h).
 *
 * Each call is synchronous and takes arrays of one context. The order of sums and products of floats depends
 * on the length alone, so the bits are the same on every device that passes vks_context_selftest. One
 * exception: llvmpipe, Vulkan on a processor, silently ends loops after 65,535 iterations, so weighted
 * histograms of tens of millions of floats lack some there (docs/gpu.md). Unsigned words are added and
 * multiplied modulo 2^32, without a report of overflow.
 *
 * Every call can end as VKS_INVALID_ARGUMENT (a type, length, range or context that does not fit; the message
 * says which), VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY, VKS_DEVICE_LOST or VKS_TIMEOUT; its results are then
 * undefined. An array that is written must not be one that is read, unless the call says so.
 *
 * Threads: see vksolve/context.h. */
#ifndef VKSOLVE_PRIMITIVE_H
#define VKSOLVE_PRIMITIVE_H

#include "vksolve/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Reductions ----
 * The library uses them for the number of entries of a product and the range of indices to sort.
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

/* Which elements are combined first; their results are combined likewise until one is left. */
typedef enum vks_pairing {
    /* In a tile of 256 the j-th and the (j + 128)-th, then those 64, 32 ... 1 apart, where missing ones are
       neutral; then tiles of 256 results. The sum has the bits of vks_vector_sum. */
    VKS_PAIRING_HALVING,
    /* The first and the second, the third and the fourth, and so on; a last one without a neighbour stays as
       it is. This keeps the order. */
    VKS_PAIRING_NEIGHBOURS,
    VKS_PAIRING_COUNT_
} vks_pairing;

/* *result = the reduction of x, a value of x's type: F64, F32 or U32. The sum of no elements is 0, their
 * product 1; they have no minimum and no maximum (VKS_INVALID_ARGUMENT). The error of sums and products of
 * floats grows with log n. Minimum and maximum follow the order of vks_min_max, with either pairing. */
vks_status vks_reduce(const vks_array *x, vks_reduction reduction, vks_pairing pairing, void *result) VKS_API;

/* The least and the largest element of x (F64, F32 or U32; at least one element), values of its type, and the
 * first index of each; any of the four may be NULL. One pass with three comparisons for two elements: T. H.
 * Cormen, C. E. Leiserson, R. L. Rivest, C. Stein, "Introduction to algorithms", section 9.1.
 *
 * Floats are ordered -infinity ... -0, +0 ... infinity, NaN; all NaNs are equal, and are returned as one
 * fixed pattern. So a NaN is the largest element if there is one, and the least only if all are NaN; vks_sort
 * orders NaNs by their sign and bits. */
vks_status vks_min_max(const vks_array *x, void *least, uint32_t *least_at, void *largest,
                       uint32_t *largest_at) VKS_API;

/* "sum"; "?" outside the list. */
const char *vks_reduction_text(vks_reduction reduction) VKS_API;

/* ---- Prefix sums ----
 * The library uses them for row offsets from row lengths, and for write positions when entries are dropped or
 * joined. Sources: G. E. Blelloch, "Prefix sums and their applications" (1990); for the single pass D.
 * Merrill, M. Garland, "Single-pass parallel prefix scan with decoupled look-back" (2016), here with a
 * timeout for every wait, and one order for floats. */

/* y[i] = x[0] + ... + x[i], or without x[i] itself: then y[0] = 0. */
typedef enum vks_scan_kind { VKS_SCAN_INCLUSIVE, VKS_SCAN_EXCLUSIVE, VKS_SCAN_COUNT_ } vks_scan_kind;

/* y = the prefix sums of x: U32 (modulo 2^32), F32 or F64, y of x's type and length. y may be x. The offsets
 * of n rows are the exclusive sums of their n lengths and a zero. GPUs take one pass over memory unless y is
 * x; otherwise x is read twice. A sum of floats is a chain of at most 51 + n / 131,072 additions: its error
 * is, to first order, at most that many units of rounding of the sum of |x|; a simple loop would have n. The
 * exclusive sums of floats may be rounded differently from the inclusive ones. */
vks_status vks_scan(const vks_array *x, vks_scan_kind kind, vks_array *y) VKS_API;

/* The same within segments: sums restart at each element whose index is in `offsets` (U32, in any order;
 * indices may repeat or lie beyond the end). CSR row offsets are such a list, even with empty rows. */
vks_status vks_scan_segments(const vks_array *x, const vks_array *offsets, vks_scan_kind kind,
                             vks_array *y) VKS_API;

/* ---- Histograms ----
 * The library uses them for the lengths of rows, which decide the kernel of a row. Source: V. Podlozhnyuk,
 * "Histogram calculation in CUDA" (2007): bins of each workgroup, added up at its end. */

/* bins[v] = the number of values equal to v, or the sum of their weights. The values are U32. The length of
 * `bins` is the number of bins; all are overwritten. *outside (unless NULL), of the type of the bins, becomes
 * the same for all values beyond the bins. Weights are NULL, U32 (sums modulo 2^32), F32 or F64, as many as
 * the values. Bins have the type of the weights, or U32 without weights. The order of sums of floats depends
 * on the number of values alone, and their time grows with values times bins: they are meant for a few
 * hundred bins. VKS_LIMIT: with floats, more than 65,536 bins, or values times bins above 2^36. */
vks_status vks_histogram(const vks_array *values, const vks_array *weights, vks_array *bins,
                         void *outside) VKS_API;

/* bins[v] = the number of differences offsets[i + 1] - offsets[i] equal to v: rows of a CSR matrix by their
 * length, from its row offsets (U32). Bins and *outside are U32. */
vks_status vks_histogram_lengths(const vks_array *offsets, vks_array *bins, uint32_t *outside) VKS_API;

#ifdef __cplusplus
}
#endif
#endif
