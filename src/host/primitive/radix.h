/* The radix sort on the host; shaders/primitive/radix.glsl is its twin and explains it. */
#ifndef VKS_HOST_PRIMITIVE_RADIX_H
#define VKS_HOST_PRIMITIVE_RADIX_H

#include "host/primitive/sort.h"

#define DIGITS 256
#define FOR_BLOCKS(b, blocks) TEAM_FOR(me, b, blocks, 2, 1)

static inline uint32_t digit_at(uint64_t key, uint32_t words, uint32_t shift, uint32_t mask, uint32_t floats)
{
    return (uint32_t)(ordered(key, words, floats) >> shift) & mask;
}

/* The end of the block that begins at `first`. */
static inline size_t block_end(size_t first, uint32_t block, uint32_t n)
{
    return first + block < n ? first + block : n;
}

/* The arrays of a scatter pass. */
struct scatter {
    const uint32_t *from, *payload_from;
    uint32_t *to, *payload_to;
    uint32_t floats, pairs, shift, mask;
};

/* Moves the keys first .. end - 1; next[d] is the place of the next key with digit d. */
static inline void scatter_keys(const struct scatter *s, uint32_t words, size_t first, size_t end,
                                uint32_t *next)
{
    for (size_t i = first; i < end; i++) {
        uint64_t key = load_key(s->from, words, i);
        uint32_t place = next[digit_at(key, words, s->shift, s->mask, s->floats)]++;
        store_key(s->to, words, place, key);
        if (s->pairs)
            s->payload_to[place] = s->payload_from[i];
    }
}

/* Moves block b; start[d] is the place of the first key with digit d. */
static inline void scatter_block(const struct scatter *s, uint32_t words, uint32_t n, uint32_t block,
                                 uint32_t blocks, uint32_t b, const uint32_t *counts, const uint32_t *start)
{
    uint32_t next[DIGITS];
    for (uint32_t d = 0; d < DIGITS; d++)
        next[d] = start[d] + counts[(size_t)d * blocks + b];
    size_t first = (size_t)b * block;
    scatter_keys(s, words, first, block_end(first, block, n), next);
}

static inline void starts_of(const uint32_t *totals, uint32_t *start)
{
    start[0] = 0;
    for (uint32_t d = 1; d < DIGITS; d++)
        start[d] = start[d - 1] + totals[d - 1];
}

#endif
