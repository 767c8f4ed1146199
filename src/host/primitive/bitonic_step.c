#include "host/primitive/bitonic.h"

static void compare(const struct elements *e, struct chunk s, uint32_t half, uint32_t distance)
{
    for (uint32_t u = 0; u < CHUNK / 2; u++) {
        uint32_t t = CHUNK / 2 * s.index + u;
        struct comparator c = distance ? apart(t, distance) : mirrored(t, half);
        if (c.j >= s.count)
            continue;
        size_t i = s.begin + (size_t)c.i, j = s.begin + (size_t)c.j;
        struct element x = load_element(e, i), y = load_element(e, j);
        if (precedes(y, x)) {
            store_element(e, i, y);
            store_element(e, j, x);
        }
    }
}

KERNEL(bitonic_step)
{
    struct elements e = {a->keys, a->payload, a->words, a->floats, a->pairs};
    FOR_CHUNKS(c, a->chunks)
    {
        struct chunk s = chunk_of(c, a->n, a->listed, a->list, a->offsets);
        if (s.count > a->half_block)
            compare(&e, s, a->half_block, a->distance);
    }
}
