#include "host/primitive/bitonic.h"

static void sort_chunk(const struct elements *e, struct chunk s, uint32_t half)
{
    size_t first = s.begin + (size_t)CHUNK * s.index;
    uint32_t left = s.count - CHUNK * s.index, length = left < CHUNK ? left : CHUNK;
    struct element v[CHUNK];
    for (uint32_t i = 0; i < length; i++)
        v[i] = load_element(e, first + i);
    if (half)
        bitonic_steps(v, length, CHUNK / 2);
    else
        bitonic_network(v, length);
    for (uint32_t i = 0; i < length; i++)
        store_element(e, first + i, v[i]);
}

KERNEL(bitonic_chunks)
{
    struct elements e = {a->keys, a->payload, a->words, a->floats, a->pairs};
    FOR_CHUNKS(c, a->chunks)
    {
        struct chunk s = chunk_of(c, a->n, a->listed, a->list, a->offsets);
        if (!a->half_block || s.count > a->half_block)
            sort_chunk(&e, s, a->half_block);
    }
}
