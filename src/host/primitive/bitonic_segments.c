#include "host/primitive/bitonic.h"

static void sort_segment(const struct elements *e, size_t begin, uint32_t length)
{
    struct element v[CHUNK];
    for (uint32_t i = 0; i < length; i++)
        v[i] = load_element(e, begin + i);
    bitonic_network(v, length);
    for (uint32_t i = 0; i < length; i++)
        store_element(e, begin + i, v[i]);
}

/* The list is short compared with the sort, so one thread writes it, in order. */
static void list_chunks(const struct bitonic_segments_args *a, uint32_t s)
{
    uint32_t begin = a->offsets[s], end = a->offsets[s + (size_t)1];
    if (begin > end || end > a->n) {
        a->tally[2] = s < a->tally[2] ? s : a->tally[2];
        return;
    }
    if (end - begin <= CHUNK)
        return;
    uint32_t chunks = (end - begin) / CHUNK + ((end - begin) % CHUNK != 0), first = a->tally[0];
    a->tally[0] += chunks;
    a->tally[1] = end - begin > a->tally[1] ? end - begin : a->tally[1];
    for (uint32_t c = 0; c < chunks && first < a->room && c < a->room - first; c++) {
        a->list[2 * ((size_t)first + c)] = s;
        a->list[2 * ((size_t)first + c) + 1] = c;
    }
}

KERNEL(bitonic_segments)
{
    struct elements e = {a->keys, a->payload, a->words, a->floats, a->pairs};
    TEAM_FOR(me, s, a->segments, 65, 1)
    {
        uint32_t begin = a->offsets[s], end = a->offsets[s + (size_t)1];
        if (begin <= end && end <= a->n && end - begin <= CHUNK)
            sort_segment(&e, begin, end - begin);
    }
    for (uint32_t s = 0; LEADS && s < a->segments; s++)
        list_chunks(a, s);
}
