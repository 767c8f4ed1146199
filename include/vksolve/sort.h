/* vksolve/sort.h -- sorting arrays on the device.
 *
 * Two methods. The radix sort (8 bits a pass; H. H. Seward 1954) is for large arrays and is stable: equal
 * keys keep their order. The bitonic network (K. E. Batcher, "Sorting networks and their applications", 1968)
 * is for what fits a workgroup, and for many short segments at once, as the rows of a matrix are.
 *
 * Keys are arrays of any vks_type. Integers are sorted as unsigned numbers, floats in the totalOrder of
 * IEEE 754: negative NaN, -infinity ... -0, +0 ... infinity, positive NaN, where NaNs are ordered by their
 * bits. Keys keep their bits. (Processors differ in the sign of the NaNs that they compute; vks_min_max
 * counts every NaN as the largest.) So the result is the same on every device, and where there is no payload
 * by every method.
 *
 * The library's own use: columns within the rows of a matrix, and triplets by row and column.
 *
 * All calls are synchronous and sort in place. What they need beside it is allocated inside and released
 * again. Threads: as vksolve/context.h says. */
#ifndef VKSOLVE_SORT_H
#define VKSOLVE_SORT_H

#include "vksolve/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(NAME, name, text) */
#define VKS_SORT_METHODS(X)                                                 \
    X(BITONIC, bitonic, "Batcher's network: for at most thousands of keys") \
    X(RADIX, radix, "by 8 bits a pass, stable: for large arrays")

#define VKS_SORT_ENUM_(NAME, name, text) VKS_SORT_##NAME,
typedef enum vks_sort_method {
    VKS_SORT_AUTO,
    VKS_SORT_METHODS(VKS_SORT_ENUM_) VKS_SORT_METHOD_COUNT_
} vks_sort_method;
#undef VKS_SORT_ENUM_

/* "radix"; "auto" for AUTO; "?" outside the list. */
VKS_API const char *vks_sort_method_name(vks_sort_method method);
VKS_API const char *vks_sort_method_text(vks_sort_method method);

typedef struct vks_sort_options {
    /* default: radix; for up to 1,024 keys without payload, all bits of which count, bitonic */
    vks_sort_method method;
    /* Compare the lowest `bits` of the keys only, 1 .. 32 or 64; 0: all. Fewer take fewer passes. For U32 and
     * U64 by the radix sort alone. */
    uint32_t bits;
} vks_sort_options;

/* Sorts the keys, ascending. options may be NULL.
 *
 * Memory: the radix sort needs a second array of the keys' size and some 4 MiB at most; the bitonic network
 * nothing. Traffic for each key of b bytes: 3 b for each 8 bits that count; with the bitonic network 2 b, and
 * from 1,025 keys on about b (2 + log2(n / 1024))^2.
 *
 * VKS_INVALID_ARGUMENT: an option is out of its range; VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY: nothing has been
 * sorted, the array is as it was. VKS_DEVICE_LOST, VKS_TIMEOUT: the array is undefined. */
VKS_CALL_0_1(vks_sort, (keys, options), vks_array *keys, const vks_sort_options *options)

/* The same, and the payload (U32, as long as the keys, a different array) goes along with its key. Equal keys
 * keep their order by the radix sort, which is also the default; by the bitonic network they come in
 * ascending order of their payload, which is the same where that is the place of the key. The radix sort
 * needs a second payload too. */
VKS_CALL_0_1(vks_sort_pairs, (keys, payload, options), vks_array *keys, vks_array *payload,
             const vks_sort_options *options)

/* Sorts each segment offsets[s] .. offsets[s + 1] - 1 of the keys for itself, by the bitonic network. offsets
 * (U32, one more element than there are segments, none for none) ascends and ends within the array, as the
 * row offsets of a matrix do; keys that lie in no segment stay where they are. payload, which may be NULL,
 * goes along: equal keys come in ascending order of it.
 *
 * Up to 128 keys are sorted by 32 invocations, up to 1,024 by a workgroup, all of them in one dispatch;
 * longer segments in more. Memory: a 64th byte for each key.
 *
 * VKS_INVALID_ARGUMENT: offsets descend or leave the array (the message names the first such segment); the
 * keys are then undefined. VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY: the keys of a segment are all there, in any
 * order. VKS_DEVICE_LOST, VKS_TIMEOUT: the arrays are undefined. */
VKS_API vks_status vks_sort_segments(vks_array *keys, vks_array *payload, const vks_array *offsets);

#ifdef __cplusplus
}
#endif
#endif
