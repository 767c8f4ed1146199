/* bench_sort: times to sort arrays of random keys on one device, as a table of tab-separated values: by the
 * device's clock, in all and for each kernel, and for the whole call with its allocations. Each result is
 * checked. */
#include "primitive/sort.h"
#include "device/context.h"
#include "primitive/array.h"
#include "report/clock.h"
#include "support/measure.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: bench_sort [OPTION...] [N...]\n"
    "\n"
    "Sorts N random keys (default: 1000000 10000000 100000000) of u32 and u64, without and with\n"
    "a u32 payload, by each method.\n"
    "\n"
    "  --device DEVICE   host, gpu, an index or part of a name (default: auto)\n"
    "  --repeats N       timed sorts of each kind (default: 5)\n"
    "  --radix-only      not by the bitonic network\n"
    "  --equal           all keys are equal\n"
    "  --help\n";

struct settings {
    const char *device;
    int repeats;
    bool radix_only, equal;
};

/* One line of the table. */
struct trial {
    vks_type type;
    uint32_t n;
    bool pairs;
    vks_sort_method method;
};

struct arrays {
    vks_array *keys, *payload;
    uint32_t *given, *got, *places;
};

/* splitmix64 (Steele, Lea, Flood 2014) */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static vks_status make_arrays(vks_context *c, const struct trial *t, const struct settings *set,
                              struct arrays *a)
{
    uint64_t seed = 1;
    size_t words = vks_type_bytes(t->type) / 4 * (size_t)t->n;
    a->given = malloc(4 * words + 1);
    a->got = malloc(4 * words + 1);
    a->places = malloc(4 * (size_t)t->n + 1);
    if (!a->given || !a->got || !a->places)
        return fail_memory(&c->message, "keys", 8 * words);
    for (size_t i = 0; i < words; i++)
        a->given[i] = set->equal ? 7 : (uint32_t)next(&seed);
    for (uint32_t i = 0; i < t->n; i++)
        a->places[i] = i;
    vks_status s = vks_array_create(c, t->n, t->type, &a->keys);
    return s ? s : vks_array_create(c, t->n, VKS_TYPE_U32, &a->payload);
}

static void free_arrays(struct arrays *a)
{
    vks_array_destroy(a->keys);
    vks_array_destroy(a->payload);
    free(a->given);
    free(a->got);
    free(a->places);
}

static uint64_t key_at(const uint32_t *keys, vks_type type, size_t i)
{
    return type == VKS_TYPE_U64 ? keys[2 * i] | (uint64_t)keys[2 * i + 1] << 32 : keys[i];
}

/* Checks that keys ascend and, if there is a payload, that each key still has its own. */
static bool check(const struct trial *t, const struct arrays *a)
{
    for (size_t i = 0; i < t->n; i++) {
        uint64_t key = key_at(a->got, t->type, i);
        if (i > 0 && key < key_at(a->got, t->type, i - 1))
            return false;
        if (t->pairs && (a->places[i] >= t->n || key != key_at(a->given, t->type, a->places[i])))
            return false;
    }
    return true;
}

/* The medians of the seconds on the device and of the whole call. */
static vks_status time_calls(vks_context *c, const struct trial *t, const struct settings *set,
                             struct arrays *a, struct spread *device, struct spread *call)
{
    double kernels[MOST_REPEATS], calls[MOST_REPEATS];
    vks_sort_options o = {.method = t->method};
    vks_status s = vks_array_write(a->payload, 0, t->n, a->places);
    for (int i = -1; i < set->repeats && !s; i++) { /* the first warms up */
        s = vks_array_write(a->keys, 0, t->n, a->given);
        if (!s)
            s = vks_array_write(a->payload, 0, t->n, a->places);
        double begun = clock_seconds();
        if (!s)
            s = t->pairs ? vks_sort_pairs(a->keys, a->payload, &o) : vks_sort(a->keys, &o);
        calls[i < 0 ? 0 : i] = clock_seconds() - begun;
        if (!s)
            s = vks_context_kernel_seconds(c, &kernels[i < 0 ? 0 : i]);
    }
    if (!s)
        s = vks_array_read(a->keys, 0, t->n, a->got);
    if (!s && t->pairs)
        s = vks_array_read(a->payload, 0, t->n, a->places);
    if (s)
        return s;
    *device = spread_of(kernels, set->repeats);
    *call = spread_of(calls, set->repeats);
    return s;
}

/* The milliseconds of each radix sort kernel, over all passes. */
static vks_status time_kernels(vks_context *c, const struct trial *t, const struct arrays *a, double *count,
                               double *scan, double *scatter)
{
    struct sorted sorted = {.keys = (u32s)(uintptr_t)a->keys->memory.address,
                            .payload = t->pairs ? (u32s)(uintptr_t)a->payload->memory.address : NULL,
                            .n = t->n,
                            .words = vks_type_bytes(t->type) / 4};
    double seconds[64];
    struct room room;
    struct rec r;
    vks_status s = vks_array_write(a->keys, 0, t->n, a->given);
    room_open(&room, c->device);
    rec_create(&r, c->device, PRECISION_F32);
    struct radix w = room_radix(&room, &sorted, RADIX_MOST_BLOCKS);
    radix_sort(&r, &w, &sorted, 32 * sorted.words);
    if (!s)
        s = room.status ? room.status : rec_run(&r);
    if (!s)
        s = rec_times(&r, seconds);
    *count = *scan = *scatter = 0;
    for (uint32_t i = 0; i < r.count && !s; i++)
        *(r.list[i].kernel == KERNEL_radix_count  ? count
          : r.list[i].kernel == KERNEL_radix_scan ? scan
                                                  : scatter) += 1e3 * seconds[i];
    rec_destroy(&r);
    room_close(&room);
    return s;
}

static vks_status run_trial(vks_context *c, const struct trial *t, const struct settings *set)
{
    struct arrays a = {0};
    struct spread device = {0}, call = {0};
    double count = 0, scan = 0, scatter = 0;
    vks_status s = make_arrays(c, t, set, &a);
    if (!s)
        s = time_calls(c, t, set, &a, &device, &call);
    bool good = !s && check(t, &a);
    if (!s && t->method == VKS_SORT_RADIX)
        s = time_kernels(c, t, &a, &count, &scan, &scatter);
    if (!s)
        printf("%s\t%s\t%s\t%" PRIu32 "\t%.4f\t%.4f\t%.4f\t%.4g\t%.4f\t%.4f\t%.4f\t%s\n",
               vks_type_name(t->type), t->pairs ? "pairs" : "keys", vks_sort_method_name(t->method), t->n,
               1e3 * device.median, 1e3 * device.least, 1e3 * call.median, 1e-9 * t->n / device.median, count,
               scan, scatter, good ? "sorted" : "WRONG");
    fflush(stdout);
    free_arrays(&a);
    return s ? s : good ? VKS_OK : fail(&c->message, VKS_DEVICE_LOST, "the keys are not sorted");
}

static vks_status run_all(vks_context *c, const struct settings *set, uint32_t n)
{
    vks_status s = VKS_OK;
    for (int wide = 0; wide < 2; wide++)
        for (int pairs = 0; pairs < 2; pairs++)
            for (int method = VKS_SORT_BITONIC; method <= VKS_SORT_RADIX; method++) {
                struct trial t = {wide ? VKS_TYPE_U64 : VKS_TYPE_U32, n, pairs, (vks_sort_method)method};
                if (!s && (method == VKS_SORT_RADIX || !set->radix_only))
                    s = run_trial(c, &t, set);
            }
    return s;
}

/* Returns false on wrong usage. */
static bool parse(int argc, char **argv, struct settings *set)
{
    static const struct option options[] = {
        {"device", required_argument, NULL, 'd'}, {"repeats", required_argument, NULL, 'r'},
        {"radix-only", no_argument, NULL, 'o'},   {"equal", no_argument, NULL, 'e'},
        {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0}};
    for (int c; (c = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        if (c == 'd')
            set->device = optarg;
        else if (c == 'r')
            set->repeats = atoi(optarg);
        else if (c == 'o')
            set->radix_only = true;
        else if (c == 'e')
            set->equal = true;
        else if (c == 'h')
            exit(fputs(help, stdout) < 0);
        else
            return false;
    }
    return set->repeats >= 1 && set->repeats <= MOST_REPEATS;
}

int main(int argc, char **argv)
{
    static char *defaults[] = {"1000000", "10000000", "100000000", NULL};
    struct settings set = {.repeats = 5};
    char message[1024] = "";
    vks_context *c = NULL;
    if (!parse(argc, argv, &set))
        return fputs(help, stderr), EXIT_FAILURE;
    vks_context_options o = {
        .device = set.device, .timestamps = 1, .message = message, .message_size = sizeof message};
    if (vks_context_create(&o, &c))
        return fprintf(stderr, "bench_sort: %s\n", message), EXIT_FAILURE;
    printf("type\twhat\tmethod\tn\tdevice_ms\tdevice_ms_min\tcall_ms\tgkeys_s\tcount_ms\tscan_ms\tscatter_"
           "ms\tresult\n");
    vks_status s = VKS_OK;
    for (char **n = argv[optind] ? argv + optind : defaults; *n && !s; n++)
        s = run_all(c, &set, (uint32_t)strtoul(*n, NULL, 10));
    if (s)
        fprintf(stderr, "bench_sort: %s\n", vks_context_message(c));
    vks_context_destroy(c);
    return s ? EXIT_FAILURE : EXIT_SUCCESS;
}
