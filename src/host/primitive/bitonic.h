/* The bitonic network on the host; shaders/primitive/bitonic.glsl is its twin and explains it. */
#ifndef VKS_HOST_PRIMITIVE_BITONIC_H
#define VKS_HOST_PRIMITIVE_BITONIC_H

#include "host/primitive/sort.h"

#define CHUNK 1024
#define FOR_CHUNKS(c, chunks) TEAM_FOR(me, c, chunks, 2, 1)

struct element {
    uint64_t key; /* ordered */
    uint32_t payload;
};

/* The arrays of elements, and the type of keys. */
struct elements {
    uint32_t *keys, *payload;
    uint32_t words, floats, pairs;
};

static inline bool precedes(struct element a, struct element b)
{
    return a.key != b.key ? a.key < b.key : a.payload < b.payload;
}

static inline struct element load_element(const struct elements *e, size_t i)
{
    return (struct element){ordered(load_key(e->keys, e->words, i), e->words, e->floats),
                            e->pairs ? e->payload[i] : 0};
}

static inline void store_element(const struct elements *e, size_t i, struct element v)
{
    store_key(e->keys, e->words, i, unordered(v.key, e->words, e->floats));
    if (e->pairs)
        e->payload[i] = v.payload;
}

struct comparator {
    uint32_t i, j;
};

/* Comparator t of the first step of the stage that merges sorted blocks of `half`. */
static inline struct comparator mirrored(uint32_t t, uint32_t half)
{
    uint32_t block = 2 * (t & ~(half - 1)), offset = t & (half - 1);
    return (struct comparator){block + half - 1 - offset, block + half + offset};
}

/* Comparator t of a later step. */
static inline struct comparator apart(uint32_t t, uint32_t distance)
{
    uint32_t i = 2 * (t & ~(distance - 1)) + (t & (distance - 1));
    return (struct comparator){i, i + distance};
}

static inline void exchange(struct element *v, uint32_t length, struct comparator c)
{
    if (c.j >= length || !precedes(v[c.j], v[c.i]))
        return;
    struct element a = v[c.i];
    v[c.i] = v[c.j];
    v[c.j] = a;
}

/* The steps at distances from `first` down to 1. */
static inline void bitonic_steps(struct element *v, uint32_t length, uint32_t first)
{
    for (uint32_t distance = first; distance; distance /= 2)
        for (uint32_t t = 0; t < (length + 1) / 2; t++)
            exchange(v, length, apart(t, distance));
}

static inline void bitonic_network(struct element *v, uint32_t length)
{
    for (uint32_t half = 1; half < length; half *= 2) {
        for (uint32_t t = 0; t < (length + 1) / 2; t++)
            exchange(v, length, mirrored(t, half));
        bitonic_steps(v, length, half / 2);
    }
}

struct chunk {
    uint32_t begin, count; /* begin and element count of its segment */
    uint32_t index;        /* index within the segment */
};

static inline struct chunk chunk_of(uint32_t c, uint32_t n, uint32_t listed, const uint32_t *list,
                                    const uint32_t *offsets)
{
    if (!listed)
        return (struct chunk){0, n, c};
    uint32_t segment = list[2 * (size_t)c], begin = offsets[segment];
    return (struct chunk){begin, offsets[segment + (size_t)1] - begin, list[2 * (size_t)c + 1]};
}

#endif
