/* Verbs of the primitives: each records one kernel and counts its bytes. */
#ifndef VKS_PRIMITIVE_VERBS_H
#define VKS_PRIMITIVE_VERBS_H

#include "device/groups.h"
#include "device/reduction.h"
#include "vksolve/primitive.h"

/* Sets n elements of `words` (1 or 2) words each to low, high. */
static inline void fill_words(struct rec *r, u32s y, uint32_t low, uint32_t high, uint32_t n, uint32_t words)
{
    run(r, fill_words, groups_each(n), .y = y, .low = low, .high = high, .n = n, .words = words);
    bill(r, 4 * (uint64_t)n * words);
}

/* y = x, n words */
static inline void copy_words(struct rec *r, u32s x, u32s y, uint32_t n)
{
    run(r, copy_words, groups_each(n), .x = x, .y = y, .n = n);
    bill(r, 8 * (uint64_t)n);
}

/* result = the sum, or the product, of x */
static inline void reduce_real(struct rec *r, const struct reduction *w, reals x, number result, uint32_t n,
                               bool product, vks_pairing pairing)
{
    run(r, reduce_real, groups_tiles(n), .x = x, .s = reduction_partials(w), .t = reduction_tickets(w),
        .result = result, .n = n, .product = product, .pairing = pairing);
    bill(r, vector_bytes(r, n));
}

static inline void reduce_u32(struct rec *r, const struct reduction *w, u32s x, u32s result, uint32_t n,
                              bool product, vks_pairing pairing)
{
    run(r, reduce_u32, groups_tiles(n), .x = x, .s = reduction_partials(w), .t = reduction_tickets(w),
        .result = result, .n = n, .product = product, .pairing = pairing);
    bill(r, 4 * (uint64_t)n);
}

/* The results of min_max_real and min_max_u32; keys have the order of the values
 * (shaders/primitive/key.glsl). */
struct range_words {
    uint32_t low[2], high[2]; /* keys, the lower word first */
    uint32_t low_at, high_at;
};
enum { RANGE_ITEM_BYTES = 24 };

/* reduce.c: writes the value of a key of this type to `value`, unless that is NULL. */
void value_of_key(vks_type type, const uint32_t key[2], void *value);

static inline void min_max_real(struct rec *r, const struct reduction *w, reals x, u32s result, uint32_t n)
{
    run(r, min_max_real, groups_tiles(n), .x = x, .s = reduction_partials(w), .t = reduction_tickets(w),
        .result = result, .n = n);
    bill(r, vector_bytes(r, n));
}

static inline void min_max_u32(struct rec *r, const struct reduction *w, u32s x, u32s result, uint32_t n)
{
    run(r, min_max_u32, groups_tiles(n), .x = x, .s = reduction_partials(w), .t = reduction_tickets(w),
        .result = result, .n = n);
    bill(r, 4 * (uint64_t)n);
}

#endif
