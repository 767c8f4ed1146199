/* Sorting many segments at once, compared with a plain sort of each. */
#include "tests/support/cases/sort.h"
#include "vksolve/sort.h"

static vks_array *new_array(vks_context *c, vks_type type, uint32_t n, const void *values)
{
    vks_array *a = NULL;
    must_work(c, vks_array_create(c, n, type, &a));
    must_work(c, vks_array_write(a, 0, n, values));
    return a;
}

/* The segments of a shape: offsets[0 .. segments]. */
struct shape {
    const char *name;
    uint32_t segments, *offsets;
};

static struct shape shape_of(const char *name, uint32_t first, uint32_t segments,
                             uint32_t (*length)(uint32_t))
{
    struct shape s = {name, segments, room((size_t)segments + 1, 4)};
    s.offsets[0] = first;
    for (uint32_t i = 0; i < segments; i++)
        s.offsets[i + 1] = s.offsets[i] + length(i);
    return s;
}

static uint32_t none(uint32_t i)
{
    (void)i;
    return 0;
}

static uint32_t every_length(uint32_t i)
{
    return i;
}

static uint32_t limits(uint32_t i)
{
    static const uint32_t lengths[] = {127,  128,  129,  1023, 1024, 1025, 2047,
                                       2048, 2049, 3071, 3072, 3073, 4097};
    return lengths[i % 13];
}

static uint32_t mostly_empty(uint32_t i)
{
    return i % 37 ? 0 : i % 200;
}

static uint32_t one_huge(uint32_t i)
{
    return i == 20 ? 70001 : i % 3;
}

static uint32_t many_long(uint32_t i)
{
    return 1100 + i;
}

static uint32_t whole(uint32_t i)
{
    (void)i;
    return 5000;
}

static const struct {
    const char *name;
    uint32_t first, segments;
    uint32_t (*length)(uint32_t);
} shapes[] = {{"empty ones", 0, 100, none},
              {"every length up to 160", 3, 161, every_length},
              {"the limits of squads, workgroups and chunks", 0, 26, limits},
              {"mostly empty", 17, 3000, mostly_empty},
              {"one huge", 1, 50, one_huge},
              {"many long", 0, 24, many_long},
              {"the whole array", 0, 1, whole},
              {"none", 5, 0, none}};
enum { SHAPES = sizeof shapes / sizeof *shapes, AFTER = 9 /* elements behind the last segment */ };

static uint32_t *random_keys(uint32_t n, uint32_t words)
{
    uint64_t seed = n;
    uint32_t *keys = room((size_t)n * words, 4);
    for (size_t i = 0; i < (size_t)n * words; i++)
        keys[i] = i % 5 ? (uint32_t)random_bits(&seed) & 0x8000003Fu : (uint32_t)random_bits(&seed);
    return keys;
}

static bool has_floats(vks_type type)
{
    return type == VKS_TYPE_F32 || type == VKS_TYPE_F64;
}

/* Keys outside all segments must not move. */
static void compare(const struct shape *s, vks_type type, uint32_t n, const uint32_t *keys,
                    const uint32_t *got, const uint32_t *payload, const char *where)
{
    uint32_t words = vks_type_bytes(type) / 4, *want = counted(n);
    bool floats = has_floats(type);
    for (uint32_t k = 0; k < s->segments; k++) {
        uint32_t first = s->offsets[k], length = s->offsets[k + 1] - first;
        OWNED(uint32_t) *places = sorted_places(keys + (size_t)words * first, length, words, floats, 64);
        for (uint32_t i = 0; i < length; i++)
            want[first + i] = first + places[i];
    }
    for (size_t i = 0; i < n; i++)
        cr_assert(!memcmp(got + words * i, keys + (size_t)words * want[i], 4 * words) &&
                      (!payload || payload[i] == want[i]),
                  "%s, %s, on %s: element %zu", s->name, vks_type_name(type), where, i);
    free(want);
}

static void attempt(vks_context *c, const struct shape *s, vks_type type, bool pairs, const char *where)
{
    uint32_t n = s->offsets[s->segments] + AFTER, words = vks_type_bytes(type) / 4;
    OWNED(uint32_t) *keys = random_keys(n, words), *got = room((size_t)n * words, 4), *places = counted(n);
    OWNED(vks_array) *a = new_array(c, type, n, keys), *b = new_array(c, VKS_TYPE_U32, n, places);
    OWNED(vks_array) *o = new_array(c, VKS_TYPE_U32, s->segments + 1, s->offsets);
    must_work(c, vks_sort_segments(a, pairs ? b : NULL, o));
    must_work(c, vks_array_read(a, 0, n, got));
    must_work(c, vks_array_read(b, 0, n, places));
    guards_check(c->device);
    compare(s, type, n, keys, got, pairs ? places : NULL, where);
}

/* Every type with and without payload or, if not `all`, types of one word and of two in turn. */
static void walk(vks_context *c, bool all, const char *where)
{
    for (int i = 0; i < SHAPES; i++) {
        struct shape s = shape_of(shapes[i].name, shapes[i].first, shapes[i].segments, shapes[i].length);
        for (int type = 0; type < VKS_TYPE_COUNT_; type++)
            for (int pairs = 0; pairs < 2; pairs++)
                if (all || (has_floats((vks_type)type) == i % 2 && pairs == (i / 2 + type) % 2))
                    attempt(c, &s, (vks_type)type, pairs, where);
        free(s.offsets);
    }
    close_context(c);
}

Test(sort_segments, of_every_shape_and_type_are_sorted_on_the_host)
{
    walk(open_host(), true, "host");
}

Test(sort_segments, of_every_shape_are_sorted_on_lavapipe)
{
    walk(open_gpu(), false, gpu_name());
}

Test(sort_segments, of_every_shape_are_sorted_by_three_workgroups)
{
    walk(open_context(gpu_name(), (struct device_options){.max_groups = 3}), false, "three groups");
}

static uint32_t row_length(uint32_t i)
{
    return i * 2654435761u >> 29;
}

static void sort_rows(vks_context *c, uint32_t rows, const char *where)
{
    struct shape s = shape_of("rows", 0, rows, row_length);
    attempt(c, &s, VKS_TYPE_U32, true, where);
    close_context(c);
    free(s.offsets);
}

/* More than 65,535 groups of eight segments. */
Test(sort_segments, half_a_million_rows_are_sorted_on_the_host)
{
    sort_rows(open_host(), 524301, "host");
}

/* Groups of segments are slow on lavapipe, whatever they contain. */
Test(sort_segments, five_thousand_rows_are_sorted_on_lavapipe)
{
    sort_rows(open_gpu(), 5003, gpu_name());
}

static void refuse_offsets(vks_context *c, const uint32_t *offsets, uint32_t count, const char *part)
{
    OWNED(uint32_t) *zeros = room(9000, 4);
    OWNED(vks_array) *keys = new_array(c, VKS_TYPE_U32, 9000, zeros);
    OWNED(vks_array) *o = new_array(c, VKS_TYPE_U32, count, offsets);
    must_refuse(c, vks_sort_segments(keys, NULL, o), VKS_INVALID_ARGUMENT, part);
    guards_check(c->device);
}

Test(sort_segments, whose_offsets_descend_or_leave_the_array_are_named)
{
    enum { MANY = 400 };
    uint32_t overlapping[2 * MANY];
    for (uint32_t i = 0; i < 2 * MANY; i++) /* their chunks exceed the list */
        overlapping[i] = i % 2 ? 9000 : 0;
    for (int device = 0; device < 2; device++) {
        OWNED(vks_context) *c = device ? open_gpu() : open_host();
        refuse_offsets(c, (uint32_t[]){0, 5, 4, 9}, 4, "segment 1 descend");
        refuse_offsets(c, (uint32_t[]){0, 9001}, 2, "segment 0 descend or leave the array of 9000");
        refuse_offsets(c, (uint32_t[]){0, 1, 2, 4294967295u}, 4, "segment 2");
        refuse_offsets(c, overlapping, 2 * MANY, "segment 1 ");
    }
}

TestOnHost(sort_segments, of_arrays_that_do_not_fit_are_refused)
{
    const uint32_t values[] = {0, 1, 2, 3};
    OWNED(vks_array) *keys = new_array(c, VKS_TYPE_U32, 4, values),
                     *o = new_array(c, VKS_TYPE_U32, 4, values);
    OWNED(vks_array) *real = new_array(c, VKS_TYPE_F32, 4, values),
                     *three = new_array(c, VKS_TYPE_U32, 3, values);
    must_refuse(c, vks_sort_segments(keys, NULL, real), VKS_INVALID_ARGUMENT, "the offsets cannot be");
    must_refuse(c, vks_sort_segments(keys, three, o), VKS_INVALID_ARGUMENT, "the payload");
    must_refuse(c, vks_sort_segments(keys, real, o), VKS_INVALID_ARGUMENT, "the payload cannot be");
    must_refuse(c, vks_sort_segments(keys, NULL, keys), VKS_INVALID_ARGUMENT, "one array");
    must_refuse(c, vks_sort_segments(keys, o, o), VKS_INVALID_ARGUMENT, "one array");
}

TestOnHost(sort_segments, without_offsets_nothing_is_sorted)
{
    const uint32_t values[] = {3, 1, 2};
    uint32_t got[3];
    OWNED(vks_array) *keys = new_array(c, VKS_TYPE_U32, 3, values),
                     *o = new_array(c, VKS_TYPE_U32, 0, values);
    must_work(c, vks_sort_segments(keys, NULL, o));
    must_work(c, vks_array_read(keys, 0, 3, got));
    cr_expect(!memcmp(got, values, sizeof got));
}
