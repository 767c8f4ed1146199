/* The cases of the kernels that sort, through their recording functions; and the plain sort that they are
 * compared with. */
#ifndef VKS_TESTS_SORT_CASES_H
#define VKS_TESTS_SORT_CASES_H

#include "primitive/sort.h"
#include "tests/support/job.h"

/* A key as its ordered bits, and its payload. */
struct pair {
    uint64_t key;
    uint32_t payload;
};

/* The totalOrder of IEEE 754, formulated differently from the library: negative numbers from the largest
 * magnitude down, then positive ones up. */
static inline uint64_t float_rank(uint64_t bits, uint32_t words)
{
    uint64_t half = words == 2 ? 1ull << 63 : 1ull << 31;
    return bits >= half ? half - 1 - (bits - half) : half + bits;
}

/* A stable merge sort: the definition of the result. */
static inline void merge_sort(struct pair *v, size_t n, struct pair *room)
{
    size_t half = n / 2, i = 0, j = half;
    if (n < 2)
        return;
    merge_sort(v, half, room);
    merge_sort(v + half, n - half, room);
    for (size_t k = 0; k < n; k++)
        room[k] = j == n || (i < half && v[i].key <= v[j].key) ? v[i++] : v[j++];
    memcpy(v, room, n * sizeof *v);
}

/* The places that a sort of n keys gives, if the payload is the place. Compares the lowest `bits`. */
static inline uint32_t *sorted_places(const uint32_t *keys, size_t n, uint32_t words, bool floats,
                                      uint32_t bits)
{
    struct pair *v = room(n, sizeof *v), *spare = room(n, sizeof *spare);
    uint32_t *places = room(n, sizeof *places);
    for (size_t i = 0; i < n; i++) {
        uint64_t key = words == 2 ? keys[2 * i] | (uint64_t)keys[2 * i + 1] << 32 : keys[i];
        key = floats ? float_rank(key, words) : key;
        v[i] = (struct pair){bits < 64 ? key & ((1ull << bits) - 1) : key, (uint32_t)i};
    }
    merge_sort(v, n, spare);
    for (size_t i = 0; i < n; i++)
        places[i] = v[i].payload;
    free(v);
    free(spare);
    return places;
}

enum { SORT_BLOCKS = 4 /* so that even small arrays have several tiles in a block */ };

/* Squads have 448 keys and tiles 3,584, or 384 and 3,072 without subgroups. From 14,337 keys on, a block has
 * more than one tile; with 10,753 there are four blocks. */
static const uint32_t radix_at[] = {0,    1,    31,   32,   33,   384,   385,  448,
                                    3072, 3073, 3583, 3584, 3585, 14337, 10753};
static const struct sizes sizes_of_radix = {radix_at, sizeof radix_at / sizeof *radix_at, 14};

/* Chunks have 1,024 elements; the lengths of segments do not depend on the size. */
static const uint32_t bitonic_at[] = {0,   1,   2,    31,   32,   33,   127,  128,  255,
                                      256, 257, 1023, 1024, 1025, 2047, 2048, 2049, 4097};
static const struct sizes sizes_of_bitonic = {bitonic_at, sizeof bitonic_at / sizeof *bitonic_at, 17};
static const uint32_t segments_at[] = {0, 1, 2, 33, 257, 2049, 6001, 18001};
static const struct sizes sizes_of_segments = {segments_at, sizeof segments_at / sizeof *segments_at, 7};

/* The input of a case: n keys with few distinct values, or of all bits; as unsigned integers or floats. */
struct sort_input {
    uint32_t words, bits;
    bool floats, few;
};

static inline uint32_t *make_keys(const struct job *j, const struct sort_input *in)
{
    static const uint32_t special[] = {0, 0x80000000u, 0x7F800000u, 0xFF800000u, 0x7FC00000u, 0xFFC00001u, 1};
    uint32_t *keys = room((size_t)j->n * in->words, 4);
    for (size_t i = 0; i < j->n; i++) {
        uint32_t word = j->words[i];
        uint32_t top = in->few && word % 3 ? word % 5 : word % 7 == 0 ? special[word / 7 % 7] : word;
        keys[in->words * i + in->words - 1] = top;
        if (in->words == 2)
            keys[2 * i] = word % 2 ? j->words[(i * 7 + 1) % j->n] : word % 11;
    }
    return keys;
}

static inline uint32_t *counted(uint32_t n)
{
    uint32_t *v = room(n, sizeof *v);
    for (uint32_t i = 0; i < n; i++)
        v[i] = i;
    return v;
}

/* The keys, and with `pairs` their places as the payload; all are compared. */
static inline struct sorted put_sorted(struct job *j, const struct sort_input *in, bool pairs)
{
    uint32_t *keys = make_keys(j, in), *places = counted(j->n);
    uint64_t words = (uint64_t)j->n * in->words;
    struct sorted a = {.n = j->n, .words = in->words, .floats = in->floats};
    a.keys = words_at(compared_words(j, put_words(j, keys, words, "keys"), words));
    if (pairs)
        a.payload = words_at(compared_words(j, put_words(j, places, j->n, "payload"), j->n));
    free(keys);
    free(places);
    return a;
}

/* The sorted keys, then their places. */
static inline void expect_sorted(const struct job *j, const struct sort_input *in, bool pairs, double *want)
{
    uint32_t *keys = make_keys(j, in), w = in->words;
    uint32_t *places = sorted_places(keys, j->n, w, in->floats, in->bits);
    for (size_t i = 0; i < j->n; i++) {
        for (uint32_t k = 0; k < w; k++)
            want[w * i + k] = keys[(size_t)w * places[i] + k];
        if (pairs)
            want[(size_t)w * j->n + i] = places[i];
    }
    free(keys);
    free(places);
}

/* The job owns the arrays of a radix sort. */
static inline void record_radix(struct job *j, const struct sort_input *in, bool pairs)
{
    struct sorted a = put_sorted(j, in, pairs);
    struct room room;
    room_open(&room, j->d);
    struct radix w = room_radix(&room, &a, SORT_BLOCKS);
    job_must(j, room.status);
    cr_assert_leq(w.blocks, SORT_BLOCKS);
    j->arrays[j->array_count++] = w.keys;
    j->arrays[j->array_count++] = w.payload;
    j->arrays[j->array_count++] = w.counts;
    radix_sort(&j->r, &w, &a, in->bits);
}

/* Both scatter kernels, with payload; several tiles in a block. */
static const struct sort_input input_words = {1, 32, false, true}, input_doubles = {2, 64, true, true};

static inline void record_radix_pairs(struct job *j)
{
    record_radix(j, &input_words, true);
}

static inline void expect_radix_pairs(const struct job *j, double *want)
{
    expect_sorted(j, &input_words, true, want);
}

static inline void record_radix_doubles(struct job *j)
{
    record_radix(j, &input_doubles, true);
}

static inline void expect_radix_doubles(const struct job *j, double *want)
{
    expect_sorted(j, &input_doubles, true, want);
}

/* The payload is the place, so equal keys keep their order, as in a stable sort. */
static const struct sort_input input_floats = {1, 32, true, true};

static inline void record_bitonic_floats(struct job *j)
{
    struct sorted a = put_sorted(j, &input_floats, true);
    bitonic_sort(&j->r, &a);
}

static inline void expect_bitonic_floats(const struct job *j, double *want)
{
    expect_sorted(j, &input_floats, true, want);
}

static const struct sort_input input_wide = {2, 64, false, true};

static inline void record_bitonic_wide(struct job *j)
{
    struct sorted a = put_sorted(j, &input_wide, false);
    bitonic_sort(&j->r, &a);
}

static inline void expect_bitonic_wide(const struct job *j, double *want)
{
    expect_sorted(j, &input_wide, false, want);
}

/* Segments of every kind: empty, short, around the limits of a squad and of a workgroup, and one long. */
static inline uint32_t *make_offsets(uint32_t n, uint32_t *segments)
{
    static const uint32_t lengths[] = {0,  3, 1, 0,   17,   127,  2,    128,  129, 5,
                                       40, 0, 9, 255, 1023, 1024, 1025, 2048, 77};
    enum { KINDS = sizeof lengths / sizeof *lengths };
    uint32_t *offsets = room((size_t)n + 100, 4), at = 0, s = 0;
    while (at < n) {
        uint32_t length = s == 2 * KINDS ? 20000 : lengths[s % KINDS];
        at = length < n - at ? at + length : n;
        offsets[++s] = at;
    }
    *segments = s;
    return offsets;
}

static inline void record_sort_segments(struct job *j)
{
    const struct sort_input *in = &input_doubles;
    uint32_t segments, listed = 0, longest = 0, *offsets = make_offsets(j->n, &segments);
    struct sorted a = put_sorted(j, in, true);
    u32s o = words_at(put_words(j, offsets, segments + (uint64_t)1, "offsets"));
    struct room room;
    room_open(&room, j->d);
    struct chunks w = room_chunks(&room, j->n);
    job_must(j, room.status);
    j->arrays[j->array_count++] = w.list;
    j->arrays[j->array_count] = w.tally;
    const struct memory *tally = &j->arrays[j->array_count++];
    for (uint32_t s = 0; s < segments; s++) {
        uint32_t length = offsets[s + 1] - offsets[s];
        listed += length > BITONIC_CHUNK ? (length + BITONIC_CHUNK - 1) / BITONIC_CHUNK : 0;
        longest = length > longest ? length : longest;
    }
    compared_words(j, tally, 3);
    bitonic_segments(&j->r, &a, o, segments, &w);
    if (listed)
        bitonic_listed(&j->r, &a, o, &w, listed, longest);
    free(offsets);
}

static inline void expect_sort_segments(const struct job *j, double *want)
{
    const struct sort_input *in = &input_doubles;
    uint32_t segments, *offsets = make_offsets(j->n, &segments), *keys = make_keys(j, in), w = in->words;
    double *tally = want + ((size_t)w + 1) * j->n;
    tally[0] = tally[1] = 0;
    tally[2] = UINT32_MAX;
    for (uint32_t s = 0; s < segments; s++) {
        size_t first = offsets[s], length = offsets[s + 1] - first;
        uint32_t *places = sorted_places(keys + w * first, length, w, in->floats, in->bits);
        for (size_t i = 0; i < length; i++) {
            for (uint32_t k = 0; k < w; k++)
                want[w * (first + i) + k] = keys[w * (first + places[i]) + k];
            want[(size_t)w * j->n + first + i] = (double)(first + places[i]);
        }
        free(places);
        if (length > BITONIC_CHUNK) {
            tally[0] += (double)((length + BITONIC_CHUNK - 1) / BITONIC_CHUNK);
            tally[1] = length > tally[1] ? (double)length : tally[1];
        }
    }
    free(keys);
    free(offsets);
}

/* X(verb, further members). The suites of the public calls test other sorts. */
#define SORT_CASES(X)                                            \
    X(radix_pairs, .words = true, .sizes = &sizes_of_radix)      \
    X(radix_doubles, .words = true, .sizes = &sizes_of_radix)    \
    X(bitonic_floats, .words = true, .sizes = &sizes_of_bitonic) \
    X(bitonic_wide, .words = true, .sizes = &sizes_of_bitonic)   \
    X(sort_segments, .words = true, .sizes = &sizes_of_segments)

#endif
