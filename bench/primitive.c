/* bench_primitive: the primitives on one device, as a table of tab-separated values: microseconds of all
 * dispatches of a call by the device's clock (the host's, on the host), the median of several runs; the bytes
 * that it has to move, per second and as a share of the copy bandwidth; and for prefix sums whether the host
 * gets the same bits. */
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
    double copied; /* bytes per second, read and written */
    vks_array *words, *wide, *narrow, *to_words, *to_wide, *to_narrow, *bins, *wide_bins, *segments, *space;
    struct memory result;
    struct reduction reduction;
    struct room room;
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

static void record_scan_once_u32(struct bench *b)
{
    scan_once_u32(&b->rec, array_words(b->space), array_words(b->words), array_words(b->to_words), b->n, true,
                  SCAN_POLLS);
}

static void record_scan_u32(struct bench *b)
{
    scan_u32(&b->rec, &b->scan, array_words(b->words), array_words(b->to_words), false, true);
}

static void record_scan_once_f64(struct bench *b)
{
    scan_once_real(&b->rec, array_words(b->space), array_reals(b->wide), array_reals(b->to_wide), b->n, true,
                   SCAN_POLLS);
}

static void record_scan_once_f32(struct bench *b)
{
    scan_once_real(&b->rec, array_words(b->space), array_reals(b->narrow), array_reals(b->to_narrow), b->n,
                   true, SCAN_POLLS);
}

static void record_scan_f64(struct bench *b)
{
    scan_real(&b->rec, &b->scan, array_reals(b->wide), array_reals(b->to_wide), false, true);
}

static void record_scan_f32(struct bench *b)
{
    scan_real(&b->rec, &b->scan, array_reals(b->narrow), array_reals(b->to_narrow), false, true);
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

/* Copies the first n elements to allocated memory. */
static void *elements(const vks_array *x, uint32_t n, vks_status *s)
{
    void *v = malloc((size_t)n * vks_type_bytes(x->type) + 1);
    if (!v && !*s)
        *s = VKS_OUT_OF_MEMORY;
    if (!*s)
        *s = vks_array_read(x, 0, n, v);
    return v;
}

/* Whether y equals the host's result for x. */
static vks_status compare_scan(const vks_array *x, const vks_array *y, uint32_t n, bool *same)
{
    vks_status s = VKS_OK;
    void *in = elements(x, n, &s), *got = elements(y, n, &s), *want = NULL;
    vks_context *host = NULL;
    vks_array *here = NULL, *to = NULL;
    if (!s)
        s = vks_context_create(&(vks_context_options){.device = "host"}, &host);
    if (!s)
        s = vks_array_create(host, n, x->type, &here);
    if (!s)
        s = vks_array_create(host, n, x->type, &to);
    if (!s)
        s = vks_array_write(here, 0, n, in);
    if (!s)
        s = vks_scan(here, VKS_SCAN_EXCLUSIVE, to);
    if (!s)
        want = elements(to, n, &s);
    *same = !s && !memcmp(got, want, (size_t)n * vks_type_bytes(x->type));
    free(in);
    free(got);
    free(want);
    vks_array_destroy(here);
    vks_array_destroy(to);
    vks_context_destroy(host);
    return s;
}

static vks_status check_u32(struct bench *b, bool *same)
{
    return compare_scan(b->words, b->to_words, b->n, same);
}

static vks_status check_f32(struct bench *b, bool *same)
{
    return compare_scan(b->narrow, b->to_narrow, b->n, same);
}

static vks_status check_f64(struct bench *b, bool *same)
{
    return compare_scan(b->wide, b->to_wide, b->n, same);
}

static const struct {
    const char *name;
    enum precision precision;
    void (*record)(struct bench *);
    vks_status (*check)(struct bench *, bool *same); /* or NULL */
} benches[] = {
    {"reduce u32", PRECISION_F32, record_reduce_u32, NULL},
    {"reduce f64", PRECISION_F64, record_reduce_f64, NULL},
    {"reduce f64, neighbours", PRECISION_F64, record_neighbours_f64, NULL},
    {"min max u32", PRECISION_F32, record_min_max_u32, NULL},
    {"min max f64", PRECISION_F64, record_min_max_f64, NULL},
    {"scan u32, one pass", PRECISION_F32, record_scan_once_u32, check_u32},
    {"scan u32, in steps", PRECISION_F32, record_scan_u32, check_u32},
    {"scan f32, one pass", PRECISION_F32, record_scan_once_f32, check_f32},
    {"scan f32, in steps", PRECISION_F32, record_scan_f32, check_f32},
    {"scan f64, one pass", PRECISION_F64, record_scan_once_f64, check_f64},
    {"scan f64, in steps", PRECISION_F64, record_scan_f64, check_f64},
    {"scan f64, segments", PRECISION_F64, record_segments_f64, NULL},
    {"histogram, 256 bins", PRECISION_F32, record_histogram, NULL},
    {"histogram f64, 256 bins", PRECISION_F64, record_histogram_f64, NULL},
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
                  {&b->narrow, VKS_TYPE_F32, b->n},
                  {&b->to_narrow, VKS_TYPE_F32, b->n},
                  {&b->to_wide, VKS_TYPE_F64, b->n + HISTOGRAM_PIECES * (BINS + 1)},
                  {&b->bins, VKS_TYPE_U32, BINS},
                  {&b->wide_bins, VKS_TYPE_F64, BINS},
                  {&b->segments, VKS_TYPE_U32, b->n / SEGMENT},
                  {&b->space, VKS_TYPE_U32, scan_once_real_words(b->n, 8)}};
    struct device *d = b->context->device;
    vks_status s = VKS_OK;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && !s; i++)
        s = vks_array_create(b->context, wanted[i].n, wanted[i].type, wanted[i].array);
    if (!s)
        s = device_allocate(d, MEMORY_DEVICE, 64, "a result", &b->result);
    if (!s)
        s = reduction_create(d, b->n, 4, &b->reduction);
    room_open(&b->room, d);
    b->scan = room_scan(&b->room, b->n, 8, true);
    return s ? s : b->room.status;
}

static vks_status fill_arrays(struct bench *b)
{
    uint32_t *words = malloc(4 * (size_t)b->n + 4), seed = 1;
    double *wide = malloc(8 * (size_t)b->n + 8);
    float *narrow = malloc(4 * (size_t)b->n + 4);
    vks_status s = words && wide && narrow ? VKS_OK : VKS_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < b->n && !s; i++) {
        seed = seed * 1664525u + 1013904223u;
        words[i] = seed >> 24;
        wide[i] = 1 + seed * 0x1p-32;
        narrow[i] = (float)wide[i];
    }
    if (!s)
        s = vks_array_write(b->words, 0, b->n, words);
    if (!s)
        s = vks_array_write(b->wide, 0, b->n, wide);
    if (!s)
        s = vks_array_write(b->narrow, 0, b->n, narrow);
    for (uint32_t i = 0; i < b->n / SEGMENT && !s; i++)
        words[i] = i * SEGMENT;
    if (!s)
        s = vks_array_write(b->segments, 0, b->n / SEGMENT, words);
    free(words);
    free(wide);
    free(narrow);
    return s;
}

static void free_arrays(struct bench *b)
{
    vks_array *all[] = {b->words,     b->to_words, b->wide,      b->to_wide,  b->narrow,
                        b->to_narrow, b->bins,     b->wide_bins, b->segments, b->space};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        vks_array_destroy(all[i]);
    device_release(b->context->device, &b->result);
    reduction_destroy(b->context->device, &b->reduction);
    room_close(&b->room);
}

static void print_row(const struct bench *b, int which, struct spread t, const double *steps)
{
    double rate = (double)b->rec.bytes / t.median;
    printf("%s\t%.1f\t%.1f\t%.1f\t%.2f\t", benches[which].name, 1e6 * t.median, 1e6 * t.least, 1e-9 * rate,
           rate / b->copied);
    for (uint32_t k = 0; k < b->rec.count; k++)
        printf("%s=%.1f%c", kernels[b->rec.list[k].kernel].name, 1e6 * steps[k],
               k + 1 < b->rec.count ? ' ' : '\n');
}

/* Runs one primitive, after a warm-up run. */
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
    if (!s)
        print_row(b, which, spread_of(seconds, REPEATS), steps);
    rec_destroy(&b->rec);
    return s;
}

/* Compares results with the host's after all times are taken: a GPU that waits for the host lowers its
 * clocks. */
static vks_status check_bench(struct bench *b, int which, bool *all_same)
{
    bool same = true;
    if (!benches[which].check)
        return VKS_OK;
    rec_create(&b->rec, b->context->device, benches[which].precision);
    benches[which].record(b);
    vks_status s = rec_run(&b->rec);
    if (!s)
        s = benches[which].check(b, &same);
    if (!s)
        printf("%s\t%s\n", benches[which].name, same ? "the host's bits" : "DIFFERENT from the host");
    *all_same &= same;
    rec_destroy(&b->rec);
    return s;
}

static vks_status run_all(struct bench *b, bool *all_same)
{
    int count = (int)(sizeof benches / sizeof *benches);
    vks_status s = make_arrays(b);
    if (!s)
        s = fill_arrays(b);
    if (!s)
        s = vks_context_copy_bandwidth(b->context, &b->copied);
    if (!s)
        printf("%s, %u elements, copies at %.1f GB/s\n"
               "primitive\tmedian us\tleast us\tGB/s\tof copies\tdispatches, us\n",
               b->context->device->info.name, b->n, 1e-9 * b->copied);
    for (int i = 0; i < count && !s; i++)
        s = run_bench(b, i);
    for (int i = 0; i < count && !s; i++)
        s = check_bench(b, i, all_same);
    free_arrays(b);
    return s;
}

int main(int argc, char **argv)
{
    char message[1024] = "";
    vks_context_options o = {.timestamps = 1, .message = message, .message_size = sizeof message};
    struct bench b = {.n = 10000000};
    bool all_same = true;
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
        s = run_all(&b, &all_same);
    if (s)
        fprintf(stderr, "bench_primitive: %s: %s\n", vks_status_name(s),
                b.context ? vks_context_message(b.context) : message);
    vks_context_destroy(b.context);
    return s || !all_same;
}
