/* Sorting: every type by every method at critical sizes, compared bit by bit with a plain stable sort. */
#include "tests/support/cases/sort.h"
#include "tests/support/large.h"
#include "vksolve/sort.h"

static vks_array *new_array(vks_context *c, vks_type type, uint32_t n, const void *values)
{
    vks_array *a = NULL;
    must_work(c, vks_array_create(c, n, type, &a));
    must_work(c, vks_array_write(a, 0, n, values));
    return a;
}

enum pattern { RANDOM, EQUAL, ASCENDING, DESCENDING, FEW, SPECIAL, PATTERNS };

static const char *const pattern_names[] = {"random",     "all equal",    "ascending",
                                            "descending", "a few values", "special values"};

/* NaNs of both signs, infinities, zeros, the smallest and the largest. */
static const uint32_t specials[] = {0x7FC00000u, 0xFFC00000u, 0x7F800000u, 0xFF800000u,
                                    0x7F800001u, 0,           0x80000000u, 1,
                                    0x80000001u, 0x7F7FFFFFu, 0xFF7FFFFFu, 0xFFFFFFFFu};
enum { SPECIALS = sizeof specials / sizeof *specials };

/* The high word of a key; if `words` is 2, the low word has the lowest bits of its place. */
static uint32_t pattern_word(enum pattern p, uint32_t i, uint32_t n, uint64_t *seed)
{
    switch (p) {
    case EQUAL:
        return 0x40490FDBu;
    case ASCENDING:
        return i << 4;
    case DESCENDING:
        return (n - i) << 4;
    case FEW:
        return random_below(seed, 3) << 30;
    case SPECIAL:
        return specials[random_below(seed, SPECIALS)];
    default:
        return (uint32_t)random_bits(seed);
    }
}

static uint32_t *pattern_keys(enum pattern p, uint32_t n, uint32_t words)
{
    uint64_t seed = 31 * (uint64_t)n + p;
    uint32_t *keys = room((size_t)n * words, 4);
    for (uint32_t i = 0; i < n; i++) {
        keys[(size_t)words * i + words - 1] = pattern_word(p, i, n, &seed);
        if (words == 2 && p != EQUAL)
            keys[(size_t)2 * i] = p == RANDOM ? (uint32_t)random_bits(&seed) : i % 7 * 0x24924924u;
    }
    return keys;
}

/* What to sort, and how. */
struct trial {
    vks_type type;
    uint32_t n;
    enum pattern pattern;
    vks_sort_options options;
    bool pairs;
};

static bool has_floats(vks_type type)
{
    return type == VKS_TYPE_F32 || type == VKS_TYPE_F64;
}

static void compare(const struct trial *t, const char *where, const uint32_t *keys, const uint32_t *got,
                    const uint32_t *payload)
{
    uint32_t words = vks_type_bytes(t->type) / 4, bits = t->options.bits ? t->options.bits : 32 * words;
    OWNED(uint32_t) *places = sorted_places(keys, t->n, words, has_floats(t->type), bits);
    for (size_t i = 0; i < t->n; i++) {
        bool same = !memcmp(got + words * i, keys + (size_t)words * places[i], 4 * words) &&
                    (!t->pairs || payload[i] == places[i]);
        cr_assert(same, "%s, %s of %u, %s, %u bits, on %s: element %zu", pattern_names[t->pattern],
                  vks_type_name(t->type), t->n, vks_sort_method_name(t->options.method), bits, where, i);
    }
}

static void attempt(vks_context *c, const struct trial *t, const char *where)
{
    uint32_t words = vks_type_bytes(t->type) / 4;
    OWNED(uint32_t) *keys = pattern_keys(t->pattern, t->n, words), *places = counted(t->n);
    OWNED(uint32_t) *got = room((size_t)t->n * words, 4);
    OWNED(vks_array) *a = new_array(c, t->type, t->n, keys), *b = new_array(c, VKS_TYPE_U32, t->n, places);
    uint32_t live = interposed_of(c->device)->live;
    must_work(c, t->pairs ? vks_sort_pairs(a, b, &t->options) : vks_sort(a, &t->options));
    cr_assert_eq(interposed_of(c->device)->live, live, "temporary memory is left behind");
    must_work(c, vks_array_read(a, 0, t->n, got));
    must_work(c, vks_array_read(b, 0, t->n, places));
    guards_check(c->device);
    compare(t, where, keys, got, places);
}

static const uint32_t sizes[] = {0,    1,    2,    31,   32,   33,   127,  128,  129,  255,
                                 256,  257,  1000, 1023, 1024, 1025, 2047, 2048, 2049, 3071,
                                 3072, 3073, 3583, 3584, 3585, 4097, 7169, 10000};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* Every type and method, with and without payload, for one size and pattern. AUTO chooses the same for
 * all. */
static void attempt_all(vks_context *c, uint32_t n, enum pattern p, const char *where)
{
    for (int type = 0; type < VKS_TYPE_COUNT_; type++)
        for (int method = p == RANDOM ? VKS_SORT_AUTO : VKS_SORT_AUTO + 1; method < VKS_SORT_METHOD_COUNT_;
             method++)
            for (int pairs = 0; pairs < 2; pairs++)
                attempt(c,
                        &(struct trial){.type = (vks_type)type,
                                        .n = n,
                                        .pattern = p,
                                        .options = {.method = (vks_sort_method)method},
                                        .pairs = pairs},
                        where);
}

TestOnHost(sort, every_type_pattern_and_method_is_sorted_at_every_size_on_the_host)
{
    for (int i = 0; i < SIZES; i++)
        for (int p = 0; p < PATTERNS; p++)
            attempt_all(c, sizes[i], (enum pattern)p, "host");
}

/* Types and methods as above, every other one with a payload, alternating by `turn`. */
static void attempt_in_turn(vks_context *c, uint32_t n, enum pattern p, int turn, const char *where)
{
    for (int type = 0; type < VKS_TYPE_COUNT_; type++)
        for (int method = VKS_SORT_AUTO + 1; method < VKS_SORT_METHOD_COUNT_; method++)
            attempt(c,
                    &(struct trial){.type = (vks_type)type,
                                    .n = n,
                                    .pattern = p,
                                    .options = {.method = (vks_sort_method)method},
                                    .pairs = (type + method + turn) % 2},
                    where);
}

/* test_kernels.c has the sizes around all edges. */
TestOnGpu(sort, every_type_and_method_is_sorted_on_lavapipe_beyond_the_edges_of_tiles_and_blocks)
{
    static const uint32_t beyond[] = {0, 1, 2, 33, 257, 1025, 2049, 3073, 3585, 7169};
    for (int i = 0; i < (int)(sizeof beyond / sizeof *beyond); i++)
        attempt_in_turn(c, beyond[i], (enum pattern)(i % PATTERNS), i, gpu_name());
}

TestOnGpu(sort, every_pattern_is_sorted_on_lavapipe)
{
    for (int p = 0; p < PATTERNS; p++)
        attempt_in_turn(c, 3101, (enum pattern)p, p, gpu_name());
}

/* Five blocks, and fifteen chunks. */
Test(sort, three_workgroups_that_stride_sort_as_many_do)
{
    OWNED(vks_context) *c = open_context(gpu_name(), (struct device_options){.max_groups = 3});
    attempt_in_turn(c, 4 * 3584 + 1, RANDOM, 0, "three groups");
}

TestOnHost(sort, hundred_thousand_keys_of_every_type_are_sorted_on_the_host)
{
    attempt_in_turn(c, 100000, SPECIAL, 0, "host");
    attempt_in_turn(c, 100000, RANDOM, 1, "host");
}

TestOnGpu(sort, thirty_thousand_keys_of_one_word_and_of_two_are_sorted_on_lavapipe)
{
    for (int method = VKS_SORT_AUTO + 1; method < VKS_SORT_METHOD_COUNT_; method++)
        for (int wide = 0; wide < 2; wide++)
            attempt(c,
                    &(struct trial){.type = wide ? VKS_TYPE_F64 : VKS_TYPE_U32,
                                    .n = 30000,
                                    .pattern = wide ? RANDOM : FEW,
                                    .options = {.method = (vks_sort_method)method},
                                    .pairs = true},
                    gpu_name());
}

/* Also odd numbers of passes, which end in the second array. */
Test(sort, only_the_lowest_bits_count_where_that_is_asked_for)
{
    static const uint32_t bits[] = {1, 7, 8, 9, 16, 17, 24, 31, 32, 33, 40, 41, 63, 64};
    for (int device = 0; device < 2; device++) {
        OWNED(vks_context) *c = device ? open_gpu() : open_host();
        for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
            for (int wide = bits[i] > 32; wide < 2; wide++)
                for (int pairs = 0; pairs < 2; pairs++) {
                    struct trial t = {.type = wide ? VKS_TYPE_U64 : VKS_TYPE_U32,
                                      .n = device ? 1001 : 5001,
                                      .pattern = RANDOM,
                                      .options = {.bits = bits[i]},
                                      .pairs = pairs};
                    if (!device || (i + wide) % 2 == (size_t)pairs)
                        attempt(c, &t, device ? gpu_name() : "host");
                }
    }
}

/* From this many keys on, a block has several tiles, and there are more than 65,535 groups of 256. A
 * comparison sort would be too slow, so the definition of a stable sort is checked. */
Test(sort, seventeen_million_pairs_are_sorted_on_the_host_and_equal_keys_keep_their_order, LARGE_RUN)
{
    uint32_t n = 65536 * 256 + 4099, *keys = room(n, 4), *payload = counted(n), *sorted = room(n, 4);
    uint64_t seed = 5;
    for (uint32_t i = 0; i < n; i++)
        keys[i] = (uint32_t)random_bits(&seed) & 0xFF00FF0Fu;
    OWNED(vks_context) *c = open_host();
    OWNED(vks_array) *a = new_array(c, VKS_TYPE_U32, n, keys), *b = new_array(c, VKS_TYPE_U32, n, payload);
    must_work(c, vks_sort_pairs(a, b, NULL));
    must_work(c, vks_array_read(a, 0, n, sorted));
    must_work(c, vks_array_read(b, 0, n, payload));
    for (uint32_t i = 0; i < n; i++) {
        cr_assert(payload[i] < n && sorted[i] == keys[payload[i]],
                  "element %u is none of those that were given", i);
        if (i > 0)
            cr_assert(sorted[i - 1] < sorted[i] ||
                          (sorted[i - 1] == sorted[i] && payload[i - 1] < payload[i]),
                      "elements %u and %u", i - 1, i);
    }
    free(keys);
    free(payload);
    free(sorted);
}

static void sort_doubles(vks_context *c, const double *given, const double *want, uint32_t n,
                         vks_sort_method method)
{
    double got[16];
    OWNED(vks_array) *a = new_array(c, VKS_TYPE_F64, n, given);
    must_work(c, vks_sort(a, &(vks_sort_options){.method = method}));
    must_work(c, vks_array_read(a, 0, n, got));
    for (uint32_t i = 0; i < n; i++)
        cr_expect(!memcmp(&got[i], &want[i], sizeof *got), "element %u is %016llx instead of %016llx", i,
                  bits_of(got[i]), bits_of(want[i]));
}

Test(sort, floats_are_in_the_total_order_of_ieee_754)
{
    double nan = copysign(NAN, 1);
    const double given[] = {nan,      1,  -0.0, -INFINITY, 0x1p-1074,  0,    -nan,
                            INFINITY, -2, -1,   2,         -0x1p-1074, 1e308};
    const double want[] = {-nan,      -INFINITY, -2, -1,    -0x1p-1074, -0.0, 0,
                           0x1p-1074, 1,         2,  1e308, INFINITY,   nan};
    for (int device = 0; device < 2; device++) {
        OWNED(vks_context) *c = device ? open_gpu() : open_host();
        for (int method = 0; method < VKS_SORT_METHOD_COUNT_; method++)
            sort_doubles(c, given, want, 13, (vks_sort_method)method);
    }
}

/* The bitonic network orders equal keys by payload, whatever their original order. */
Test(sort, the_bitonic_network_orders_equal_keys_by_their_payload)
{
    enum { N = 3000 };
    uint32_t keys[N], payload[N];
    for (uint32_t i = 0; i < N; i++) {
        keys[i] = i % 2;
        payload[i] = N - i;
    }
    for (int device = 0; device < 2; device++) {
        OWNED(vks_context) *c = device ? open_gpu() : open_host();
        OWNED(vks_array) *a = new_array(c, VKS_TYPE_U32, N, keys),
                         *b = new_array(c, VKS_TYPE_U32, N, payload);
        uint32_t got[N], with[N];
        must_work(c, vks_sort_pairs(a, b, &(vks_sort_options){.method = VKS_SORT_BITONIC}));
        must_work(c, vks_array_read(a, 0, N, got));
        must_work(c, vks_array_read(b, 0, N, with));
        for (uint32_t i = 0; i < N; i++) {
            cr_assert_eq(got[i], i >= N / 2);
            cr_assert_eq(with[i], i < N / 2 ? 2 * i + 2 : 2 * (i - N / 2) + 1);
        }
    }
}

static void refuse(vks_context *c, vks_array *keys, vks_array *payload, vks_sort_options o, const char *part)
{
    must_refuse(c, payload ? vks_sort_pairs(keys, payload, &o) : vks_sort(keys, &o), VKS_INVALID_ARGUMENT,
                part);
}

Test(sort, what_cannot_be_sorted_is_refused_and_left_as_it_was)
{
    const uint32_t values[] = {3, 1, 2, 0};
    const float floats[] = {3, 1, 2, 0};
    uint32_t got[4];
    OWNED(vks_context) *c = open_host(), *other = open_host();
    OWNED(vks_array) *keys = new_array(c, VKS_TYPE_U32, 4, values),
                     *real = new_array(c, VKS_TYPE_F32, 4, floats);
    OWNED(vks_array) *fewer = new_array(c, VKS_TYPE_U32, 3, values),
                     *far = new_array(other, VKS_TYPE_U32, 4, values);
    refuse(c, keys, NULL, (vks_sort_options){.method = VKS_SORT_METHOD_COUNT_}, "is not a vks_sort_method");
    refuse(c, keys, NULL, (vks_sort_options){.bits = 33}, "the lowest 33 bits of keys of 32");
    refuse(c, real, NULL, (vks_sort_options){.bits = 8}, "the lowest 8 bits");
    refuse(c, keys, NULL, (vks_sort_options){.bits = 8, .method = VKS_SORT_BITONIC}, "the lowest 8 bits");
    refuse(c, keys, real, (vks_sort_options){0}, "the payload cannot be");
    refuse(c, keys, fewer, (vks_sort_options){0}, "the payload");
    refuse(c, keys, far, (vks_sort_options){0}, "different context");
    refuse(c, keys, keys, (vks_sort_options){0}, "one array");
    must_work(c, vks_array_read(keys, 0, 4, got));
    cr_expect(!memcmp(got, values, sizeof got));
}

TestOnHost(sort, without_room_for_the_second_array_nothing_is_sorted)
{
    enum { N = 1000 };
    uint32_t values[N], got[N];
    for (uint32_t i = 0; i < N; i++)
        values[i] = N - i;
    OWNED(vks_array) *keys = new_array(c, VKS_TYPE_U32, N, values);
    c->device->info.largest_array = 100;
    must_refuse(c, vks_sort(keys, &(vks_sort_options){.method = VKS_SORT_RADIX}), VKS_DEVICE_MEMORY,
                "the second array of a radix sort");
    must_work(c, vks_array_read(keys, 0, N, got));
    cr_expect(!memcmp(got, values, sizeof got));
}

TestOnHost(sort, vectors_are_sorted_as_arrays)
{
    const double given[] = {3, -1, 2};
    double got[3];
    OWNED(vks_vector) *v = vector_of(c, PRECISION_F64, given, 3);
    must_work(c, vks_sort(vks_vector_array(v), NULL));
    must_work(c, vks_vector_read(v, 0, 3, VKS_F64, got));
    cr_expect(got[0] == -1 && got[1] == 2 && got[2] == 3);
}

Test(sort, methods_have_names_and_texts)
{
    cr_expect_str_eq(vks_sort_method_name(VKS_SORT_AUTO), "auto");
    cr_expect_str_eq(vks_sort_method_name(VKS_SORT_RADIX), "radix");
    cr_expect_str_eq(vks_sort_method_name(VKS_SORT_METHOD_COUNT_), "?");
    cr_expect(strstr(vks_sort_method_text(VKS_SORT_BITONIC), "network"));
    cr_expect_str_eq(vks_sort_method_text(VKS_SORT_METHOD_COUNT_), "?");
}
