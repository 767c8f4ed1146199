/* bench_block: inverses of batches of random small blocks on one device, as a table of tab-separated values.
 * Times are those of the kernels by the device's clock; the results of the first blocks are checked. */
#include "report/clock.h"
#include "report/spread.h"
#include "vksolve/vksolve.h"

#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: bench_block [OPTION...] [SIZE...]\n"
    "\n"
    "Inverts blocks of SIZE rows (default: 2 4 8 16 24 32) in f32 and f64.\n"
    "\n"
    "  --device DEVICE   host, gpu, an index or part of a name (default: auto)\n"
    "  --count N         blocks in a batch (default: 100000)\n"
    "  --repeats N       timed batches (default: 20)\n"
    "  --help\n"
    "\n"
    "Columns: the median and the least of a batch in microseconds (on the host of whole calls), the\n"
    "bandwidth of the blocks read and written at the median, and the largest entry of |A X - I|.\n";

enum { MOST_REPEATS = 1000, CHECKED = 100 };

struct settings {
    const char *device;
    uint32_t count, repeats;
};

/* One batch of one type. a and x are the blocks and the memory for their inverses, both of that type. */
struct batch {
    vks_context *context;
    const struct settings *set;
    uint32_t size;
    vks_type type;
    void *a, *x;
};

static double value(const struct batch *b, const void *v, size_t k)
{
    return b->type == VKS_TYPE_F64 ? ((const double *)v)[k] : (double)((const float *)v)[k];
}

static void fill_random(const struct batch *b, size_t entries)
{
    uint64_t state = 88172645463325252;
    for (size_t k = 0; k < entries; k++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        double v = (double)(state >> 40) * 0x1p-23 - 1;
        if (b->type == VKS_TYPE_F64)
            ((double *)b->a)[k] = v;
        else
            ((float *)b->a)[k] = (float)v;
    }
}

static double error_of(const struct batch *b)
{
    uint32_t n = b->size, blocks = b->set->count < CHECKED ? b->set->count : CHECKED;
    double largest = 0;
    for (size_t at = 0; at < (size_t)blocks * n * n; at += (size_t)n * n)
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++) {
                double sum = i == j ? -1 : 0;
                for (uint32_t k = 0; k < n; k++)
                    sum += value(b, b->a, at + i * n + k) * value(b, b->x, at + k * n + j);
                largest = fmax(largest, fabs(sum));
            }
    return largest;
}

static vks_status run_batches(const struct batch *b, const vks_array *in, vks_array *out, struct spread *took)
{
    double seconds[MOST_REPEATS], kernels;
    vks_device_info info;
    vks_status s = vks_context_device(b->context, &info);
    for (uint32_t i = 0; !s && i <= b->set->repeats; i++) { /* the first is a rehearsal */
        double begun = clock_seconds();
        s = vks_invert_blocks(b->set->count, b->size, in, out, NULL);
        double wall = clock_seconds() - begun;
        if (!s && info.kind != VKS_DEVICE_HOST)
            s = vks_context_kernel_seconds(b->context, &kernels);
        if (i)
            seconds[i - 1] = info.kind != VKS_DEVICE_HOST ? kernels : wall;
    }
    *took = s ? (struct spread){0} : spread_of(seconds, b->set->repeats);
    return s;
}

static vks_status bench(struct batch *b)
{
    uint32_t entries = b->set->count * b->size * b->size, bytes = vks_type_bytes(b->type);
    vks_array *in = NULL, *out = NULL;
    struct spread took = {0};
    b->a = malloc((size_t)entries * bytes);
    b->x = malloc((size_t)entries * bytes);
    vks_status s = b->a && b->x ? VKS_OK : VKS_OUT_OF_MEMORY;
    if (!s)
        fill_random(b, entries);
    if (!s)
        s = vks_array_create(b->context, entries, b->type, &in);
    if (!s)
        s = vks_array_create(b->context, entries, b->type, &out);
    if (!s)
        s = vks_array_write(in, 0, entries, b->a);
    if (!s)
        s = run_batches(b, in, out, &took);
    if (!s)
        s = vks_array_read(out, 0, entries, b->x);
    if (!s)
        printf("%" PRIu32 "\t%s\t%" PRIu32 "\t%.1f\t%.1f\t%.0f\t%.1e\n", b->size, vks_type_name(b->type),
               b->set->count, 1e6 * took.median, 1e6 * took.least, 2e-9 * entries * bytes / took.median,
               error_of(b));
    vks_array_destroy(in);
    vks_array_destroy(out);
    free(b->a);
    free(b->x);
    return s;
}

static bool read_options(int argc, char **argv, struct settings *set)
{
    static const struct option options[] = {{"device", required_argument, NULL, 'd'},
                                            {"count", required_argument, NULL, 'c'},
                                            {"repeats", required_argument, NULL, 'r'},
                                            {"help", no_argument, NULL, 'h'},
                                            {0}};
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) >= 0;) {
        if (c == 'd')
            set->device = optarg;
        else if (c == 'c')
            set->count = (uint32_t)strtoul(optarg, NULL, 10);
        else if (c == 'r')
            set->repeats = (uint32_t)strtoul(optarg, NULL, 10);
        else
            return false;
    }
    return set->count && set->count <= 1000000 && set->repeats && set->repeats <= MOST_REPEATS;
}

int main(int argc, char **argv)
{
    struct settings set = {.count = 100000, .repeats = 20};
    static const uint32_t usual[] = {2, 4, 8, 16, 24, 32};
    char message[1024] = "";
    if (!read_options(argc, argv, &set)) {
        fputs(help, stderr);
        return 1;
    }
    vks_context_options o = {
        .device = set.device, .timestamps = 1, .message = message, .message_size = sizeof message};
    struct batch b = {.set = &set};
    vks_status s = vks_context_create(&o, &b.context);
    if (s) {
        fprintf(stderr, "bench_block: %s\n", message);
        return 1;
    }
    printf("size\ttype\tblocks\tmedian_us\tleast_us\tGB/s\terror\n");
    for (int i = 0; !s && i < (optind < argc ? argc - optind : 6); i++) {
        b.size = optind < argc ? (uint32_t)strtoul(argv[optind + i], NULL, 10) : usual[i];
        for (int type = 0; !s && type < 2; type++) {
            b.type = type ? VKS_TYPE_F32 : VKS_TYPE_F64;
            s = bench(&b);
        }
    }
    if (s)
        fprintf(stderr, "bench_block: %s\n", vks_context_message(b.context));
    vks_context_destroy(b.context);
    return s ? 1 : 0;
}
