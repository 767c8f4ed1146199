/* Runs every primitive on a device and on the host, on N pseudorandom elements, and compares the results bit
 * by bit. Prints a line for each: the type, the operation, "same", "DIFFERENT" or "FAILED: ..."; returns 1
 * unless all are the same. For sizes that are too slow for suites: primitive_walk DEVICE N */
#include "tests/support/gpu_name.h"
#include "vksolve/vksolve.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOST, DEVICE, SIDES, BINS = 256, SEGMENT = 100 };

/* The same arrays on one side. */
struct side {
    vks_context *c;
    vks_array *x, *y, *words, *segments, *bins;
};

struct walk {
    struct side side[SIDES];
    vks_type type;
    uint32_t n;
    bool all_same;
};

static vks_status make_array(vks_context *c, uint32_t n, vks_type type, const void *values, vks_array **a)
{
    vks_status s = vks_array_create(c, n, type, a);
    return s ? s : vks_array_write(*a, 0, n, values);
}

/* Floats between 1 and 2, so that every sum rounds; words of 8 bits. */
static void element(vks_type type, uint32_t random, void *values, uint32_t i)
{
    if (type == VKS_TYPE_F64)
        ((double *)values)[i] = 1 + random * 0x1p-32;
    else if (type == VKS_TYPE_F32)
        ((float *)values)[i] = (float)(1 + (random >> 9) * 0x1p-23);
    else
        ((uint32_t *)values)[i] = random >> 24;
}

static vks_status make_side(struct walk *w, struct side *side)
{
    uint32_t n = w->n, segments = n / SEGMENT + 1, seed = 1;
    void *x = malloc(8 * (size_t)n + 8);
    uint32_t *words = malloc(4 * (size_t)n + 4), *starts = malloc(4 * (size_t)segments);
    vks_status s = x && words && starts ? VKS_OK : VKS_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < n && !s; i++) {
        seed = seed * 1664525u + 1013904223u;
        element(w->type, seed, x, i);
        words[i] = (seed >> 8) % (BINS + 2);
    }
    for (uint32_t i = 0; i < segments && !s; i++)
        starts[i] = i * SEGMENT;
    if (!s)
        s = make_array(side->c, n, w->type, x, &side->x);
    if (!s)
        s = make_array(side->c, n, w->type, x, &side->y);
    if (!s)
        s = make_array(side->c, n, VKS_TYPE_U32, words, &side->words);
    if (!s)
        s = make_array(side->c, segments, VKS_TYPE_U32, starts, &side->segments);
    if (!s)
        s = vks_array_create(side->c, BINS, w->type, &side->bins);
    free(x);
    free(words);
    free(starts);
    return s;
}

static void free_side(struct side *side)
{
    vks_array *all[] = {side->x, side->y, side->words, side->segments, side->bins};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        vks_array_destroy(all[i]);
    *side = (struct side){.c = side->c};
}

static void report(struct walk *w, const char *what, vks_status s, const struct side *failed, bool same)
{
    static const char *const types[] = {
        [VKS_TYPE_F64] = "f64", [VKS_TYPE_F32] = "f32", [VKS_TYPE_U32] = "u32"};
    if (s)
        printf("%s\t%s\tFAILED: %s\n", types[w->type], what, vks_context_message(failed->c));
    else
        printf("%s\t%s\t%s\n", types[w->type], what, same ? "same" : "DIFFERENT");
    fflush(stdout);
    w->all_same &= !s && same;
}

/* `call` writes up to 64 bytes at `out`, and may write into y or the bins; all is compared. */
static void compare(struct walk *w, const char *what, vks_status (*call)(struct side *, void *out),
                    bool writes)
{
    char out[SIDES][64] = {{0}};
    void *y[SIDES] = {NULL};
    size_t bytes = writes ? (size_t)w->n * vks_type_bytes(w->type) : 0;
    vks_status s = VKS_OK;
    int k = 0;
    for (; k < SIDES && !s; k++) {
        s = call(&w->side[k], out[k]);
        y[k] = malloc(bytes + 1);
        if (!s && !y[k])
            s = VKS_OUT_OF_MEMORY;
        if (!s && writes)
            s = vks_array_read(w->side[k].y, 0, w->n, y[k]);
    }
    bool same = !s && !memcmp(out[HOST], out[DEVICE], sizeof *out) && !memcmp(y[HOST], y[DEVICE], bytes);
    report(w, what, s, &w->side[s ? k - 1 : 0], same);
    free(y[HOST]);
    free(y[DEVICE]);
}

#define REDUCE(name, reduction, pairing)                                             \
    static vks_status name(struct side *s, void *out)                                \
    {                                                                                \
        return vks_reduce(s->x, VKS_REDUCE_##reduction, VKS_PAIRING_##pairing, out); \
    }
REDUCE(sum, SUM, HALVING)
REDUCE(sum_of_neighbours, SUM, NEIGHBOURS)
REDUCE(product, PRODUCT, HALVING)
REDUCE(least, MIN, HALVING)
REDUCE(most, MAX, NEIGHBOURS)
#undef REDUCE

static vks_status range(struct side *s, void *out)
{
    char *at = out;
    return vks_min_max(s->x, at, (uint32_t *)(void *)(at + 16), at + 24, (uint32_t *)(void *)(at + 40));
}

static vks_status inclusive(struct side *s, void *out)
{
    (void)out;
    return vks_scan(s->x, VKS_SCAN_INCLUSIVE, s->y);
}

static vks_status exclusive(struct side *s, void *out)
{
    (void)out;
    return vks_scan(s->x, VKS_SCAN_EXCLUSIVE, s->y);
}

/* Scans the result of the previous scan. */
static vks_status in_place(struct side *s, void *out)
{
    (void)out;
    return vks_scan(s->y, VKS_SCAN_INCLUSIVE, s->y);
}

static vks_status segments(struct side *s, void *out)
{
    (void)out;
    return vks_scan_segments(s->x, s->segments, VKS_SCAN_INCLUSIVE, s->y);
}

/* Copies the bins to the first elements of y, so that they are compared. */
static vks_status histogram(struct side *s, void *out)
{
    char bins[8 * BINS];
    vks_status t = vks_histogram(s->words, s->x, s->bins, out);
    if (!t)
        t = vks_array_read(s->bins, 0, BINS, bins);
    return t ? t : vks_array_write(s->y, 0, BINS, bins);
}

/* Sorts the present contents of y, with the words as payload: equal keys keep their order. */
static vks_status sorted(struct side *s, void *out)
{
    uint32_t ends[2] = {0};
    vks_status t = vks_sort_pairs(s->y, s->words, NULL);
    if (!t)
        t = vks_array_read(s->words, 0, 1, &ends[0]);
    if (!t)
        t = vks_array_read(s->words, vks_array_length(s->words) - 1, 1, &ends[1]);
    memcpy(out, ends, sizeof ends);
    return t;
}

static void walk_type(struct walk *w, vks_type type)
{
    w->type = type;
    vks_status s = VKS_OK;
    for (int k = 0; k < SIDES && !s; k++)
        if ((s = make_side(w, &w->side[k])))
            report(w, "arrays", s, &w->side[k], false);
    if (!s) {
        compare(w, "sum, halving", sum, false);
        compare(w, "sum, neighbours", sum_of_neighbours, false);
        compare(w, "product", product, false);
        compare(w, "minimum", least, false);
        compare(w, "maximum", most, false);
        compare(w, "minimum and maximum with places", range, false);
        compare(w, "inclusive sums", inclusive, true);
        compare(w, "exclusive sums", exclusive, true);
        compare(w, "sums in place", in_place, true);
        compare(w, "sums in segments", segments, true);
        if (w->n >= BINS)
            compare(w, "weighted histogram", histogram, true);
        compare(w, "sort with payload", sorted, true);
    }
    free_side(&w->side[HOST]);
    free_side(&w->side[DEVICE]);
}

int main(int count, char **argument)
{
    char message[1024] = "";
    struct walk w = {.all_same = true};
    char *end = NULL;
    unsigned long n = count == 3 ? strtoul(argument[2], &end, 10) : 0;
    if (count != 3 || *end || n == 0 || n > UINT32_MAX)
        return fputs("usage: primitive_walk DEVICE N\n", stderr), 2;
    w.n = (uint32_t)n;
    for (int k = 0; k < SIDES && w.all_same; k++) {
        vks_context_options o = {.device = k == HOST ? "host" : device_named(argument[1]),
                                 .message = message,
                                 .message_size = sizeof message};
        if (vks_context_create(&o, &w.side[k].c))
            w.all_same = fprintf(stderr, "primitive_walk: %s\n", message) < 0;
    }
    if (w.all_same) {
        walk_type(&w, VKS_TYPE_U32);
        walk_type(&w, VKS_TYPE_F32);
        walk_type(&w, VKS_TYPE_F64);
    }
    for (int k = 0; k < SIDES; k++)
        vks_context_destroy(w.side[k].c);
    return !w.all_same;
}
