#include "primitive/sort.h"
#include "primitive/verbs.h"

enum {
    DIGITS = 256,
    DIGIT_BITS = 8,
    TILE = 3584 /* least keys that a workgroup sorts at a time; block sizes are multiples */
};

struct radix room_radix_with(struct room *w, const struct sorted *a, uint32_t most_blocks, struct memory keys,
                             struct memory payload)
{
    uint32_t tiles = a->n / TILE + (a->n % TILE != 0);
    uint32_t tiles_each = tiles / most_blocks + (tiles % most_blocks != 0);
    uint64_t block = (uint64_t)TILE * (tiles_each ? tiles_each : 1), blocks = (a->n + block - 1) / block;
    struct memory counts =
        room_memory(w, MEMORY_DEVICE, 4 * DIGITS * (blocks + 1), "the counts of a radix sort");
    return (struct radix){keys, payload, counts, (uint32_t)block, (uint32_t)blocks};
}

struct radix room_radix(struct room *w, const struct sorted *a, uint32_t most_blocks)
{
    struct memory payload = {0}, keys = room_memory(w, MEMORY_DEVICE, 4 * (uint64_t)a->words * a->n,
                                                    "the second array of a radix sort");
    if (a->payload)
        payload = room_memory(w, MEMORY_DEVICE, 4 * (uint64_t)a->n, "the second payload of a radix sort");
    return room_radix_with(w, a, most_blocks, keys, payload);
}

static u32s words_after(u32s array, uint64_t words)
{
    return (u32s)(uintptr_t)((uint64_t)(uintptr_t)array + 4 * words);
}

/* Records one pass, by the digit at `shift`. */
static void pass(struct rec *r, const struct radix *w, const struct sorted *from, const struct sorted *to,
                 uint32_t shift, uint32_t mask)
{
    u32s counts = words_of(&w->counts), totals = words_after(counts, (uint64_t)DIGITS * w->blocks);
    run(r, radix_count, w->blocks, .keys = from->keys, .counts = counts, .n = from->n, .words = from->words,
        .floats = from->floats, .shift = shift, .mask = mask, .block = w->block, .blocks = w->blocks);
    run(r, radix_scan, DIGITS, .counts = counts, .totals = totals, .blocks = w->blocks);
    if (from->words == 1)
        run(r, radix_scatter, w->blocks, .from = from->keys, .to = to->keys, .payload_from = from->payload,
            .payload_to = to->payload, .counts = counts, .totals = totals, .n = from->n,
            .floats = from->floats, .pairs = from->payload != NULL, .shift = shift, .mask = mask,
            .block = w->block, .blocks = w->blocks);
    else
        run(r, radix_scatter_wide, w->blocks, .from = from->keys, .to = to->keys,
            .payload_from = from->payload, .payload_to = to->payload, .counts = counts, .totals = totals,
            .n = from->n, .floats = from->floats, .pairs = from->payload != NULL, .shift = shift,
            .mask = mask, .block = w->block, .blocks = w->blocks);
    uint64_t keys = 4 * (uint64_t)from->words * from->n, payload = from->payload ? 4 * (uint64_t)from->n : 0;
    bill(r, 3 * keys + 2 * payload + 16 * (uint64_t)DIGITS * w->blocks);
}

/* Copies the result back, since an odd number of passes ends in the second array. */
static void copy_back(struct rec *r, const struct sorted *from, const struct sorted *to)
{
    for (uint32_t w = 0; w < from->words; w++) { /* n words at a time, since 2 n may exceed a uint */
        uint64_t first = (uint64_t)w * from->n;
        copy_words(r, words_after(from->keys, first), words_after(to->keys, first), from->n);
    }
    if (from->payload)
        copy_words(r, from->payload, to->payload, from->n);
}

void radix_sort(struct rec *r, const struct radix *w, const struct sorted *a, uint32_t bits)
{
    struct sorted from = *a, to = *a;
    to.keys = words_of(&w->keys);
    to.payload = a->payload ? words_of(&w->payload) : NULL;
    for (uint32_t shift = 0; shift < bits; shift += DIGIT_BITS) {
        uint32_t digit = bits - shift < DIGIT_BITS ? bits - shift : DIGIT_BITS;
        pass(r, w, &from, &to, shift, (1u << digit) - 1);
        struct sorted swap = from;
        from = to;
        to = swap;
    }
    if (from.keys != a->keys)
        copy_back(r, &from, &to);
}
