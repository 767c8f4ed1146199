/* bench_multiply: sparse times sparse, C = A A, on one device, as a table of tab-separated values. */
#include "device/context.h"
#include "report/clock.h"
#include "support/measure.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: bench_multiply [OPTION...] KIND:SIZE|powerlaw:ROWS[:MEAN]|FILE.mtx ...\n"
    "\n"
    "Multiplies each matrix by itself, and then once more with the structure kept.\n"
    "KIND: poisson2d, poisson3d, poisson3d27, elasticity3d.\n"
    "\n"
    "  --device DEVICE   host, gpu, an index or part of a name (default: auto)\n"
    "  --repeats N       timed products (default: 5)\n"
    "  --help\n"
    "\n"
    "Columns: milliseconds of whole calls, the median and the least, and in runs of their own of the\n"
    "kernels by the device's clock; the checksum is FNV-1a over the row offsets of C, as spgemm_bench of "
    "bench/peers prints it.\n";

struct timing {
    struct spread wall;
    double kernels;
};

struct trial {
    uint32_t entries;
    uint64_t checksum;
    struct timing whole, again;
};

static vks_context *open_device(const char *device, bool timestamps)
{
    char message[1024] = "";
    vks_context_options o = {
        .device = device, .timestamps = timestamps, .message = message, .message_size = sizeof message};
    vks_context *c;
    if (vks_context_create(&o, &c))
        fprintf(stderr, "bench_multiply: %s\n", message);
    return c;
}

static uint64_t products_of(const struct host_csr *a)
{
    uint64_t products = 0;
    for (size_t e = 0; e < host_csr_entries(a); e++)
        products += a->row[a->col[e] + (size_t)1] - a->row[a->col[e]];
    return products;
}

static vks_status checksum(const vks_matrix *C, uint64_t *sum)
{
    size_t n = vks_matrix_rows(C);
    uint32_t *row = malloc(4 * (n + 1));
    vks_status s = row ? vks_matrix_to_csr(C, row, NULL, VKS_F64, NULL) : VKS_OUT_OF_MEMORY;
    uint64_t h = 0xCBF29CE484222325u;
    for (size_t i = 0; !s && i <= n; i++)
        h = (h ^ row[i]) * 0x100000001B3u;
    *sum = (h ^ vks_matrix_entries(C)) * 0x100000001B3u;
    free(row);
    return s;
}

/* Times `repeats` products after one that warms up, and as many that reuse the structure of the last. */
static vks_status measure(vks_context *c, const vks_matrix *A, int repeats, struct trial *t)
{
    double whole[MOST_REPEATS], again[MOST_REPEATS];
    const vks_multiply_options o = {.format = VKS_FORMAT_CSR};
    vks_matrix *C = NULL;
    vks_status s = VKS_OK;
    for (int k = -1; k < repeats && !s; k++) {
        vks_matrix_destroy(C);
        double begin = clock_seconds();
        s = vks_matrix_multiply(A, A, &o, &C);
        whole[k < 0 ? 0 : k] = clock_seconds() - begin;
        vks_context_kernel_seconds(c, &t->whole.kernels); /* unchanged if nothing is timed */
    }
    for (int k = -1; k < repeats && !s; k++) {
        double begin = clock_seconds();
        s = vks_matrix_multiply_again(A, A, C);
        again[k < 0 ? 0 : k] = clock_seconds() - begin;
        vks_context_kernel_seconds(c, &t->again.kernels);
    }
    if (!s) {
        t->whole.wall = spread_of(whole, repeats);
        t->again.wall = spread_of(again, repeats);
        t->entries = vks_matrix_entries(C);
        s = checksum(C, &t->checksum);
    }
    vks_matrix_destroy(C);
    return s;
}

static vks_status measure_on(const char *device, bool timestamps, const struct host_csr *a,
                             vks_precision precision, int repeats, struct trial *t)
{
    vks_context *c = open_device(device, timestamps);
    vks_matrix *A = NULL;
    vks_matrix_options o = {.precision = precision, .storage.format = VKS_FORMAT_CSR};
    if (!c)
        return VKS_NO_DEVICE;
    vks_status s = vks_matrix_from_csr(c, a->rows, a->cols, a->row, a->col, a->val, &o, &A);
    if (!s)
        s = measure(c, A, repeats, t);
    if (s)
        fprintf(stderr, "bench_multiply: %s\n", vks_context_message(c));
    vks_matrix_destroy(A);
    vks_context_destroy(c);
    return s;
}

static void print(const char *what, const struct host_csr *a, vks_precision precision, uint64_t products,
                  const struct trial *t, const struct trial *timed)
{
    printf("%s\t%u\t%zu\t%s\t%" PRIu64 "\t%u\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%016" PRIx64 "\n", what,
           a->rows, host_csr_entries(a), precision == VKS_F64 ? "f64" : "f32", products, t->entries,
           1e3 * t->whole.wall.median, 1e3 * t->whole.wall.least, 1e3 * timed->whole.kernels,
           1e3 * t->again.wall.median, 1e3 * t->again.wall.least, 1e3 * timed->again.kernels, t->checksum);
    fflush(stdout);
}

static vks_status run_one(const char *device, int repeats, const char *what)
{
    struct message m = {0};
    struct host_csr a = {0};
    vks_status s = problem_load(&m, what, &a);
    if (s)
        fprintf(stderr, "bench_multiply: %s\n", m.text);
    uint64_t products = s ? 0 : products_of(&a);
    for (int p = 0; p < 2 && !s; p++) {
        struct trial t = {0}, timed = {0};
        vks_precision precision = p ? VKS_F32 : VKS_F64;
        s = measure_on(device, false, &a, precision, repeats, &t);
        if (!s)
            s = measure_on(device, true, &a, precision, 1, &timed);
        if (!s)
            print(what, &a, precision, products, &t, &timed);
    }
    host_csr_free(&a);
    return s;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"device", required_argument, NULL, 'd'},
                                            {"repeats", required_argument, NULL, 'r'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    const char *device = NULL;
    int repeats = 5, failed = 0;
    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (o == 'd')
            device = optarg;
        else if (o == 'r')
            repeats = atoi(optarg);
        else
            return fputs(help, o == 'h' ? stdout : stderr), o == 'h' ? 0 : 2;
    }
    if (optind == argc || repeats < 1 || repeats > MOST_REPEATS)
        return fputs(help, stderr), 2;
    puts("matrix\tn\tentries\tprecision\tproducts\tentries_of_C\tms\tms_min\tkernels_ms\tagain_ms\t"
         "again_ms_min\tagain_kernels_ms\tchecksum");
    for (int i = optind; i < argc; i++)
        failed |= run_one(device, repeats, argv[i]) != VKS_OK;
    return failed;
}
