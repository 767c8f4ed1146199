/* Batches of small systems: seconds of vks_batch_solve on a device, for each kind and size of system. */
#include "vksolve/vksolve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char help[] = "usage: bench_batch DEVICE SYSTEMS REPEATS\n\n"
                           "Prints a row for each kind (tridiagonal, five points), size, precision and "
                           "method: the median of the repeats,\n"
                           "systems a second, the mean and the largest number of iterations, the largest "
                           "true residual, and how many\n"
                           "systems have not converged.\n";

struct pattern {
    uint32_t n, *row, *col;
};

static double random_part(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

/* A grid of `width` columns, numbered by rows; 1: a line, which is tridiagonal. */
static struct pattern grid(uint32_t n, uint32_t width)
{
    struct pattern p = {n, calloc(n + 1, sizeof(uint32_t)), calloc(5 * (size_t)n, sizeof(uint32_t))};
    uint32_t at = 0;
    for (uint32_t i = 0; p.row && p.col && i < n; i++) {
        if (width > 1 && i >= width)
            p.col[at++] = i - width;
        if (i % width > 0 || (width == 1 && i > 0))
            p.col[at++] = i - 1;
        p.col[at++] = i;
        if ((width == 1 || i % width < width - 1) && i + 1 < n)
            p.col[at++] = i + 1;
        if (width > 1 && i + width < n)
            p.col[at++] = i + width;
        p.row[i + 1] = at;
    }
    return p;
}

/* Diagonals of 2 or 4 and a random share of one in each system; -1 beside them. */
static void fill(const struct pattern *p, uint32_t systems, double *values)
{
    uint64_t seed = 1;
    double diagonal = p->row[p->n] > 3 * p->n ? 4 : 2;
    for (uint32_t s = 0; s < systems; s++) {
        double more = 0.02 + random_part(&seed);
        for (uint32_t i = 0; i < p->n; i++)
            for (uint32_t e = p->row[i]; e < p->row[i + 1]; e++)
                *values++ = p->col[e] == i ? diagonal + more : -1;
    }
}

static double seconds(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_row(const vks_batch_report *r, uint32_t systems, double median)
{
    double sum = 0, worst = 0;
    uint32_t most = 0, failed = 0;
    for (uint32_t s = 0; s < systems; s++) {
        sum += r[s].iterations;
        most = r[s].iterations > most ? r[s].iterations : most;
        worst = fmax(worst, r[s].true_residual);
        failed += r[s].reason != VKS_REASON_CONVERGED;
    }
    printf("%.3f\t%.0f\t%.1f\t%u\t%.1e\t%u\n", 1e3 * median, systems / median, sum / systems, most, worst,
           failed);
}

struct run {
    vks_context *c;
    uint32_t systems;
    int repeats;
};

static vks_status bench(const struct run *r, const struct pattern *p, const double *values,
                        vks_precision precision, vks_method method)
{
    vks_batch_options o = {.precision = precision, .method = method, .zero_guess = 1};
    vks_batch *batch = NULL;
    vks_vector *b = NULL, *x = NULL;
    vks_batch_report *report = calloc(r->systems, sizeof *report);
    double *times = calloc((size_t)r->repeats, sizeof *times);
    vks_status s = report && times ? VKS_OK : VKS_OUT_OF_MEMORY;
    if (!s)
        s = vks_batch_create(r->c, r->systems, p->n, p->row, p->col, VKS_F64, values, &o, &batch);
    if (!s)
        s = vks_vector_create(r->c, vks_batch_rows(batch), precision, &b);
    if (!s)
        s = vks_vector_create(r->c, vks_batch_rows(batch), precision, &x);
    if (!s)
        s = vks_vector_fill(b, 1);
    for (int i = -1; i < r->repeats && !s; i++) {
        double begun = seconds();
        s = vks_batch_solve(batch, b, x, report);
        if (i >= 0)
            times[i] = seconds() - begun;
    }
    if (!s) {
        qsort(times, (size_t)r->repeats, sizeof *times, by_size);
        print_row(report, r->systems, times[r->repeats / 2]);
    } else {
        printf("%s\n", vks_context_message(r->c));
    }
    free(times);
    free(report);
    vks_vector_destroy(x);
    vks_vector_destroy(b);
    vks_batch_destroy(batch);
    return s;
}

static vks_status bench_size(const struct run *r, uint32_t n, uint32_t width)
{
    static const vks_method methods[] = {VKS_METHOD_CG, VKS_METHOD_BICGSTAB, VKS_METHOD_GAUSS_JORDAN};
    struct pattern p = grid(n, width);
    double *values = p.row && p.col ? calloc((size_t)r->systems * p.row[n], sizeof *values) : NULL;
    vks_status s = values ? VKS_OK : VKS_OUT_OF_MEMORY;
    if (!s)
        fill(&p, r->systems, values);
    for (int i = 0; i < 6 && !s; i++) {
        vks_method method = methods[i / 2];
        if (method == VKS_METHOD_GAUSS_JORDAN && width > 1 && n > VKS_LARGEST_BATCH_ELIMINATION)
            continue;
        printf("%s\t%u\t%s\t%s\t", width > 1 ? "five points" : "tridiagonal", n, i % 2 ? "f32" : "f64",
               vks_method_name(method));
        s = bench(r, &p, values, i % 2 ? VKS_F32 : VKS_F64, method);
    }
    free(values);
    free(p.row);
    free(p.col);
    return s;
}

int main(int argc, char **argv)
{
    static const uint32_t sizes[] = {32, 100, 500, 1000}, widths[] = {8, 10, 25, 40};
    struct run r = {.systems = argc == 4 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0,
                    .repeats = argc == 4 ? atoi(argv[3]) : 0};
    if (r.systems < 1 || r.repeats < 1) {
        fputs(help, stderr);
        return 1;
    }
    char message[512];
    vks_context_options o = {.device = argv[1], .message = message, .message_size = sizeof message};
    vks_status s = vks_context_create(&o, &r.c);
    if (s)
        fprintf(stderr, "bench_batch: %s\n", message);
    printf("kind\tn\tprecision\tmethod\tms\tsystems/s\titerations\tmost\ttrue_residual\tnot_converged\n");
    for (int i = 0; i < 8 && !s; i++)
        s = bench_size(&r, sizes[i / 2], i % 2 ? widths[i / 2] : 1);
    vks_context_destroy(r.c);
    return s ? 4 : 0;
}
