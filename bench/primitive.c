/* bench_primitive: the primitives on one device, as a table of tab-separated values: microseconds of all
 * dispatches of a call by the device's clock (the host's, on the host), the median of some, and the bytes of
 * its bill in a second. */
#include "device/context.h"
#include "primitive/array.h"
#include "primitive/histogram_verbs.h"
#include "primitive/scan_verbs.h"
#include "support/measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 9, BINS = 256, SEGMENT = 100 /* elements */, MOST_STEPS = 8 };

static const char help[] =
    "usage: bench_primitive [DEVICE [ELEMENTS]]\n"
    "\n"
    "DEVICE: host, gpu, an index or part of a name. ELEMENTS: 10000000 unless given.\n";

/* Arrays on the device, and the workspace of all primitives. */
struct bench {
    vks_context *context;
    uint32_t n;
    vks_array *words, *wide, *to_words, *to_wide, *bins, *wide_bins, *segments, *space;
    struct memory result;
    struct reduction reduction;
    struct scan_space scan;
    struct rec rec;
};

static u32s result_words(const struct bench *b)
{
    return (u32s)(uintptr_t)b->result.address;
}

static void record_reduce_f64(struct bench *b)
{
    reduce_real(&b->rec, &b->reduction, array_reals(b->wide), (number)(uintptr_t)b->result.address, b->n,
                false, VKS_PAIRING_HALVING);
}

static void record_neighbours_f64(struct bench *b)
{
    reduce_real(&b->rec, &b->reduction, array_reals(b->wide), (number)(uintptr_t)b->result.address, b->n,
                false, VKS_PAIRING_NEIGHBOURS);
}

static void record_reduce_u32(struct bench *b)
{
    reduce_u32(&b->rec, &b->reduction, array_words(b->words), result_words(b), b->n, false,
               VKS_PAIRING_HALVING);
}

static void record_min_max_u32(struct bench *b)
{
    min_max_u32(&b->rec, &b->reduction, array_words(b->words), result_words(b), b->n);
}

static void record_min_max_f64(struct bench *b)
{
    min_max_real(&b->rec, &b->reduction, array_reals(b->wide), result_words(b), b->n);
}

static void record_matrices_f64(struct bench *b)
{
    matrix2_product(&b->rec, &b->reduction, array_reals(b->wide), (reals)(uintptr_t)b->result.address,
                    b->n / 4);
}

static void record_scan_once_u32(struct bench *b)
{
    scan_once_u32(&b->rec, array_words(b->space), array_words(b->words), array_words(b->to_words), b->n, true,
                  SCAN_POLLS);
}

static void record_scan_u32(struct bench *b)
{
    scan_u32(&b->rec, &b->scan, array_words(b->words), array_words(b->to_words), false, true);
}

static void record_scan_f64(struct bench *b)
{
    scan_real(&b->rec, &b->scan, array_reals(b->wide), array_reals(b->to_wide), false, true);
}

static void record_segments_f64(struct bench *b)
{
    mark_heads(&b->rec, &b->scan, array_words(b->segments), b->segments->n);
    scan_real(&b->rec, &b->scan, array_reals(b->wide), array_reals(b->to_wide), true, true);
}

static void record_histogram(struct bench *b)
{
    histogram(&b->rec, array_words(b->words), array_words(b->words), array_words(b->bins), result_words(b),
              b->n, BINS, ONES);
}

static void record_histogram_f64(struct bench *b)
{
    histogram_real(&b->rec, array_words(b->words), array_reals(b->wide), array_reals(b->to_wide),
                   array_reals(b->wide_bins), (number)(uintptr_t)b->result.address, b->n, BINS);
}

static const struct {
    const char *name;
    enum precision precision;
    void (*record)(struct bench *);
} benches[] = {
    {"reduce u32", PRECISION_F32, record_reduce_u32},
    {"reduce f64", PRECISION_F64, record_reduce_f64},
    {"reduce f64, neighbours", PRECISION_F64, record_neighbours_f64},
    {"min max u32", PRECISION_F32, record_min_max_u32},
    {"min max f64", PRECISION_F64, record_min_max_f64},
    {"matrices 2 x 2 f64", PRECISION_F64, record_matrices_f64},
    {"scan u32, one pass", PRECISION_F32, record_scan_once_u32},
    {"scan u32, in steps", PRECISION_F32, record_scan_u32},
    {"scan f64", PRECISION_F64, record_scan_f64},
    {"scan f64, segments", PRECISION_F64, record_segments_f64},
    {"histogram, 256 bins", PRECISION_F32, record_histogram},
    {"histogram f64, 256 bins", PRECISION_F64, record_histogram_f64},
};

static vks_status make_arrays(struct bench *b)
{
    const struct {
        vks_array **array;
        vks_type type;
        uint32_t n;
    } wanted[] = {{&b->words, VKS_TYPE_U32, b->n},
                  {&b->to_words, VKS_TYPE_U32, b->n},
                  {&b->wide, VKS_TYPE_F64, b->n},
                  {&b->to_wide, VKS_TYPE_F64, b->n + HISTOGRAM_PIECES * (BINS + 1)},
                  {&b->bins, VKS_TYPE_U32, BINS},
                  {&b->wide_bins, VKS_TYPE_F64, BINS},
                  {&b->segments, VKS_TYPE_U32, b->n / SEGMENT},
                  {&b->space, VKS_TYPE_U32, scan_once_words(b->n)}};
    struct device *d = b->context->device;
    vks_status s = VKS_OK;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && !s; i++)
        s = vks_array_create(b->context, wanted[i].n, wanted[i].type, wanted[i].array);
    if (!s)
        s = device_allocate(d, MEMORY_DEVICE, 64, "a result", &b->result);
    if (!s)
        s = reduction_create(d, b->n, 4, &b->reduction);
    return s ? s : scan_space_create(d, b->n, 8, true, &b->scan);
}

static vks_status fill_arrays(struct bench *b)
{
    uint32_t *words = malloc(4 * (size_t)b->n + 4), seed = 1;
    double *wide = malloc(8 * (size_t)b->n + 8);
    vks_status s = words && wide ? VKS_OK : VKS_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < b->n && !s; i++) {
        seed = seed * 1664525u + 1013904223u;
        words[i] = seed >> 24;
        wide[i] = 1 + seed * 0x1p-32;
    }
    if (!s)
        s = vks_array_write(b->words, 0, b->n, words);
    if (!s)
        s = vks_array_write(b->wide, 0, b->n, wide);
    for (uint32_t i = 0; i < b->n / SEGMENT && !s; i++)
        words[i] = i * SEGMENT;
    if (!s)
        s = vks_array_write(b->segments, 0, b->n / SEGMENT, words);
    free(words);
    free(wide);
    return s;
}

static void free_arrays(struct bench *b)
{
    vks_array *all[] = {b->words, b->to_words,  b->wide,     b->to_wide,
                        b->bins,  b->wide_bins, b->segments, b->space};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        vks_array_destroy(all[i]);
    device_release(b->context->device, &b->result);
    reduction_destroy(b->context->device, &b->reduction);
    scan_space_destroy(b->context->device, &b->scan);
}

/* One primitive, after a run that warms up. */
static vks_status run_bench(struct bench *b, int which)
{
    double seconds[REPEATS] = {0}, steps[MOST_STEPS] = {0};
    rec_create(&b->rec, b->context->device, benches[which].precision);
    benches[which].record(b);
    vks_status s = b->rec.count <= MOST_STEPS ? rec_run(&b->rec) : VKS_LIMIT;
    for (int i = 0; i < REPEATS && !s; i++) {
        s = rec_run(&b->rec);
        if (!s)
            s = rec_times(&b->rec, steps);
        for (uint32_t k = 0; k < b->rec.count && !s; k++)
            seconds[i] += steps[k];
    }
    struct spread t = spread_of(seconds, REPEATS);
    if (!s)
        printf("%s\t%.1f\t%.1f\t%.1f\t", benches[which].name, 1e6 * t.median, 1e6 * t.least,
               1e-9 * (double)b->rec.bytes / t.median);
    for (uint32_t k = 0; k < b->rec.count && !s; k++)
        printf("%s=%.1f%c", kernels[b->rec.list[k].kernel].name, 1e6 * steps[k],
               k + 1 < b->rec.count ? ' ' : '\n');
    rec_destroy(&b->rec);
    return s;
}

static vks_status run_all(struct bench *b)
{
    double copied = 0;
    vks_status s = make_arrays(b);
    if (!s)
        s = fill_arrays(b);
    if (!s)
        s = vks_context_copy_bandwidth(b->context, &copied);
    if (!s)
        printf("%s, %u elements, copies at %.1f GB/s\nprimitive\tmedian us\tleast us\tGB/s\tdispatches, us\n",
               b->context->device->info.name, b->n, 1e-9 * copied);
    for (int i = 0; i < (int)(sizeof benches / sizeof *benches) && !s; i++)
        s = run_bench(b, i);
    free_arrays(b);
    return s;
}

int main(int argc, char **argv)
{
    char message[1024] = "";
    vks_context_options o = {.timestamps = 1, .message = message, .message_size = sizeof message};
    struct bench b = {.n = 10000000};
    if (argc == 2 && !strcmp(argv[1], "--help"))
        return fputs(help, stdout) < 0;
    if (argc > 3 || (argc > 1 && argv[1][0] == '-')) {
        fputs(help, stderr);
        return 1;
    }
    if (argc > 1)
        o.device = argv[1];
    if (argc > 2)
        b.n = (uint32_t)strtoul(argv[2], NULL, 10);
    vks_status s = vks_context_create(&o, &b.context);
    if (!s)
        s = run_all(&b);
    if (s)
        fprintf(stderr, "bench_primitive: %s: %s\n", vks_status_name(s),
                b.context ? vks_context_message(b.context) : message);
    vks_context_destroy(b.context);
    return s ? 1 : 0;
}
