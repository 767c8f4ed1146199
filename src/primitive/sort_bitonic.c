#include "primitive/sort.h"
#include "primitive/verbs.h"

/* A listed segment has more than 1,024 elements, and so at most one chunk for every 512 of them. */
struct chunks room_chunks(struct room *w, uint32_t n)
{
    uint32_t room = n / (BITONIC_CHUNK / 2) + 1;
    return (struct chunks){.list =
                               room_memory(w, MEMORY_DEVICE, 8 * (uint64_t)room, "the list of long segments"),
                           .tally = room_memory(w, MEMORY_DEVICE, 12, "the tally of long segments"),
                           .room = room};
}

/* The chunks that a dispatch processes: the listed chunks, or the whole array. */
struct work {
    u32s list, offsets;
    uint32_t chunks, longest;
};

static uint64_t moved(const struct sorted *a)
{
    return 8 * (uint64_t)a->n * (a->words + (a->payload != NULL));
}

static void within_chunks(struct rec *r, const struct sorted *a, const struct work *w, uint32_t half_block)
{
    run(r, bitonic_chunks, w->chunks, .keys = a->keys, .payload = a->payload, .list = w->list,
        .offsets = w->offsets, .n = a->n, .chunks = w->chunks, .listed = w->list != NULL, .words = a->words,
        .floats = a->floats, .pairs = a->payload != NULL, .half_block = half_block);
    bill(r, moved(a));
}

static void step(struct rec *r, const struct sorted *a, const struct work *w, uint32_t half_block,
                 uint32_t distance)
{
    run(r, bitonic_step, w->chunks, .keys = a->keys, .payload = a->payload, .list = w->list,
        .offsets = w->offsets, .n = a->n, .chunks = w->chunks, .listed = w->list != NULL, .words = a->words,
        .floats = a->floats, .pairs = a->payload != NULL, .half_block = half_block, .distance = distance);
    bill(r, moved(a));
}

static void sort_chunks(struct rec *r, const struct sorted *a, const struct work *w)
{
    within_chunks(r, a, w, 0);
    for (uint64_t half = BITONIC_CHUNK; half < w->longest; half *= 2) {
        step(r, a, w, (uint32_t)half, 0);
        for (uint64_t distance = half / 2; distance >= BITONIC_CHUNK; distance /= 2)
            step(r, a, w, (uint32_t)half, (uint32_t)distance);
        within_chunks(r, a, w, (uint32_t)half);
    }
}

void bitonic_sort(struct rec *r, const struct sorted *a)
{
    uint32_t chunks = a->n / BITONIC_CHUNK + (a->n % BITONIC_CHUNK != 0);
    sort_chunks(r, a, &(struct work){.chunks = chunks, .longest = a->n});
}

void bitonic_segments(struct rec *r, const struct sorted *a, u32s offsets, uint32_t segments,
                      const struct chunks *w)
{
    fill_words(r, words_of(&w->tally), 0, 0, 2, 1);
    fill_words(r, words_in(&w->tally, 2), UINT32_MAX, UINT32_MAX, 1, 1);
    run(r, bitonic_segments, ((uint64_t)segments + 7) / 8, .keys = a->keys, .payload = a->payload,
        .offsets = offsets, .list = words_of(&w->list), .tally = words_of(&w->tally), .n = a->n,
        .segments = segments, .room = w->room, .words = a->words, .floats = a->floats,
        .pairs = a->payload != NULL);
    bill(r, moved(a) + 4 * (uint64_t)segments);
}

void bitonic_listed(struct rec *r, const struct sorted *a, u32s offsets, const struct chunks *w,
                    uint32_t listed, uint32_t longest)
{
    struct work work = {words_of(&w->list), offsets, listed, longest};
    sort_chunks(r, a, &work);
}
