/* vksolve/sort.h -- sorting arrays on the device.
 *
 * Two methods. The radix sort (8 bits a pass; H. H. Seward 1954) is for large arrays and is stable: equal
 * keys keep their order. The bitonic network (K. E. Batcher, "Sorting networks and their applications", 1968)
 * is for arrays that fit a workgroup, and for many short segments at once, such as the rows of a matrix.
 *
 * Keys are arrays of any vks_type. Integers are sorted as unsigned numbers, floats in the totalOrder of
 * IEEE 754: negative NaN, -infinity ... -0, +0 ... infinity, positive NaN, where NaNs are ordered by their
 * bits. Keys keep their bits. (Processors differ in the sign of the NaNs that they compute; vks_min_max
 * counts every NaN as the largest.) So the result is the same on every device and, without a payload, by both
 * methods.
 *
 * The library sorts columns within the rows of a matrix, and triplets by row and column.
 *
 * All calls are synchronous and sort in place. They allocate and free their work space. Threads: as
 * vksolve/context.h says. */
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
const char *vks_sort_method_name(vks_sort_method method) VKS_API;
const char *vks_sort_method_text(vks_sort_method method) VKS_API;

typedef struct vks_sort_options {
    /* default: radix; bitonic for up to 1,024 keys without payload if all bits count */
    vks_sort_method method;
    /* Compare only the lowest `bits` of the keys, 1 .. 32 or 64, which takes fewer passes; 0: all. For U32
     * and U64 by the radix sort alone. */
    uint32_t bits;
} vks_sort_options;

/* Sorts the keys, ascending. options may be NULL.
 *
 * Memory: the radix sort needs a second array of the size of the keys and at most about 4 MiB; the bitonic
 * network needs none. Traffic for each key of b bytes: 3 b for each 8 bits compared; with the bitonic network
 * 2 b, and above 1,024 keys about b (2 + log2(n / 1024))^2.
 *
 * VKS_INVALID_ARGUMENT: an option is out of its range; VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY: the array is
 * unchanged. VKS_DEVICE_LOST, VKS_TIMEOUT: the array is undefined. */
static inline vks_status vks_sort(vks_array *keys, const vks_sort_options *options);
VKS_CALL(vks_sort, (keys, options), vks_array *keys, const vks_sort_options *options)

/* The same, and each element of the payload (U32, as long as the keys, a different array) moves with its key.
 * The radix sort, the default, keeps the order of equal keys; the bitonic network puts them in ascending
 * order of their payload, which is the same if that is the index of the key. The radix sort also needs a
 * second payload. */
static inline vks_status vks_sort_pairs(vks_array *keys, vks_array *payload, const vks_sort_options *options);
VKS_CALL(vks_sort_pairs, (keys, payload, options), vks_array *keys, vks_array *payload,
         const vks_sort_options *options)

/* Sorts each segment offsets[s] .. offsets[s + 1] - 1 of the keys, by the bitonic network. offsets (U32, one
 * element more than segments; empty: no segments) ascends and ends within the array, like the row offsets of
 * a matrix; keys outside all segments are unchanged. payload, which may be NULL, moves with the keys: equal
 * keys are put in ascending order of their payload.
 *
 * 32 invocations sort a segment of up to 128 keys, a workgroup one of up to 1,024, all in one dispatch;
 * longer segments take more dispatches. Memory: one byte for each 64 keys.
 *
 * VKS_INVALID_ARGUMENT: offsets descend or leave the array (the message names the first such segment); the
 * keys are then undefined. VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY: the keys of a segment are all there, in any
 * order. VKS_DEVICE_LOST, VKS_TIMEOUT: the arrays are undefined. */
vks_status vks_sort_segments(vks_array *keys, vks_array *payload, const vks_array *offsets) VKS_API;

#ifdef __cplusplus
}
#endif
#endif
