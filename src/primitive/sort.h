/* The sorts as recordings, and the memory that they need beside the array. */
#ifndef VKS_PRIMITIVE_SORT_H
#define VKS_PRIMITIVE_SORT_H

#include "device/record.h"

/* What is sorted, as kernels see it. */
struct sorted {
    u32s keys, payload; /* payload: NULL for none */
    uint32_t n;
    uint32_t words;  /* of a key: 1 or 2, the low one first */
    uint32_t floats; /* compared as IEEE 754's totalOrder, else as unsigned integers */
};

/* A second array, between which and the first the passes of the radix sort go back and forth, and its counts.
 */
struct radix {
    struct memory keys, payload, counts;
    uint32_t block, blocks; /* keys in a block, and blocks */
    bool borrowed;          /* the keys and the payload are the caller's */
};

/* Blocks are enough for any GPU and few beside the keys, whatever their number. */
enum { RADIX_MOST_BLOCKS = 4096 };

/* Room to sort `a` in at most `most_blocks` blocks. A zeroed struct may be destroyed. */
vks_status radix_create(struct device *d, const struct sorted *a, uint32_t most_blocks, struct radix *out);
/* The same with second arrays of the caller's, which have room for a's keys and payload. */
vks_status radix_create_with(struct device *d, const struct sorted *a, uint32_t most_blocks,
                             struct memory keys, struct memory payload, struct radix *out);
void radix_destroy(struct device *d, struct radix *w);

/* Sorts by the lowest `bits` of the keys, keeping the order of equal ones. */
void radix_sort(struct rec *r, const struct radix *w, const struct sorted *a, uint32_t bits);

/* Chunks of 1,024 elements of segments that are longer than that: see
 * shaders/primitive/bitonic_segments.comp. */
struct chunks {
    struct memory list, tally;
    uint32_t room; /* chunks on the list, at most */
};

enum { BITONIC_CHUNK = 1024 };

vks_status chunks_create(struct device *d, uint32_t n, struct chunks *out);
void chunks_destroy(struct device *d, struct chunks *w);

/* Sorts the whole array by the bitonic network; equal keys by their payload. */
void bitonic_sort(struct rec *r, const struct sorted *a);

/* Sorts each of `segments` segments of at most 1,024 elements, and lists the chunks of the others. */
void bitonic_segments(struct rec *r, const struct sorted *a, u32s offsets, uint32_t segments,
                      const struct chunks *w);

/* Then, with the tally that has been read: sorts the segments on the list, the longest of which has `longest`
 * elements. */
void bitonic_listed(struct rec *r, const struct sorted *a, u32s offsets, const struct chunks *w,
                    uint32_t listed, uint32_t longest);

#endif
