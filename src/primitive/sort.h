/* The sorts as recordings, and their workspace. */
#ifndef VKS_PRIMITIVE_SORT_H
#define VKS_PRIMITIVE_SORT_H

#include "device/record.h"
#include "device/room.h"

/* The arrays to sort, as kernel arguments. */
struct sorted {
    u32s keys, payload; /* payload: NULL for none */
    uint32_t n;
    uint32_t words;  /* of a key: 1 or 2, the low word first */
    uint32_t floats; /* compared by IEEE 754's totalOrder, else as unsigned integers */
};

/* The second array of the radix sort, whose passes alternate between both arrays, and the counts. */
struct radix {
    struct memory keys, payload, counts;
    uint32_t block, blocks; /* keys in a block, and number of blocks */
};

/* Enough blocks for any GPU, however many keys there are. */
enum { RADIX_MOST_BLOCKS = 4096 };

/* The workspace to sort `a` in at most `most_blocks` blocks. */
struct radix room_radix(struct room *w, const struct sorted *a, uint32_t most_blocks);
/* room_radix with the caller's second arrays, which have room for a's keys and payload. */
struct radix room_radix_with(struct room *w, const struct sorted *a, uint32_t most_blocks, struct memory keys,
                             struct memory payload);

/* Sorts by the lowest `bits` of the keys, and keeps the order of equal keys. */
void radix_sort(struct rec *r, const struct radix *w, const struct sorted *a, uint32_t bits);

/* Chunks of 1,024 elements of longer segments: see shaders/primitive/bitonic_segments.comp. */
struct chunks {
    struct memory list, tally;
    uint32_t room; /* capacity of the list, in chunks */
};

enum { BITONIC_CHUNK = 1024 };

struct chunks room_chunks(struct room *w, uint32_t n);

/* Sorts the whole array by the bitonic network, and equal keys by their payload. */
void bitonic_sort(struct rec *r, const struct sorted *a);

/* Sorts segments of at most 1,024 elements, among `segments` segments, and lists the chunks of the others. */
void bitonic_segments(struct rec *r, const struct sorted *a, u32s offsets, uint32_t segments,
                      const struct chunks *w);

/* The second step, once the tally has been read: sorts the listed segments, which have at most `longest`
 * elements. */
void bitonic_listed(struct rec *r, const struct sorted *a, u32s offsets, const struct chunks *w,
                    uint32_t listed, uint32_t longest);

#endif
