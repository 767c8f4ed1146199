/* bench_dense: products, solves and inverses of dense matrices on one device, as a table of tab-separated
 * values. */
#include "report/clock.h"
#include "report/spread.h"
#include "vksolve/vksolve.h"

#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef VKS_HAVE_LAPACKE
#include <lapacke.h>
#endif

static const char help[] =
    "usage: bench_dense [OPTION...] WHAT:SIZE ...\n"
    "\n"
    "WHAT: gemv (in each form), gemm, solve (one right-hand side) or invert; SIZE: N, or ROWSxCOLS for "
    "gemv.\n"
    "lapack: solve, and LAPACK's dgesv on the CPU with the same numbers.\n"
    "\n"
    "  --device DEVICE      host, gpu, an index or part of a name (default: auto)\n"
    "  --precision f64|f32  (default: f64)\n"
    "  --repeats N          timed runs after one that warms up (default: 5)\n"
    "  --help\n"
    "\n"
    "Columns: milliseconds of whole calls, the median and the least; of the kernels by the device's clock, "
    "in\n"
    "the last of some runs of their own; GFLOP/s of the kernels, or where there is no clock of the least: 2 "
    "m n\n"
    "(gemv), 2 n^3 (gemm, invert), n^3 (solve); GB/s of the matrix (gemv); and the backward error (solve).\n";

enum { MOST = 64 };

struct options {
    const char *device;
    vks_precision precision;
    int repeats;
};

/* A measurement: the operation and its operands. */
struct trial {
    struct options o;
    const char *what;
    uint32_t rows, cols;
    vks_gemv_form form;
    vks_context *c;
    vks_dense *A, *B, *C;
    vks_vector *x, *y;
    double *values; /* of A */
    vks_gauss_jordan_report report;
};

static bool is(const struct trial *t, const char *what)
{
    return !strcmp(t->what, what);
}

static vks_context *open_device(const struct options *o, bool timestamps)
{
    char message[1024] = "";
    vks_context_options options = {
        .device = o->device, .timestamps = timestamps, .message = message, .message_size = sizeof message};
    vks_context *c;
    if (vks_context_create(&options, &c))
        fprintf(stderr, "bench_dense: %s\n", message);
    return c;
}

/* splitmix64 (Steele, Lea, Flood 2014), from -1 to 1. */
static void fill(double *v, size_t count)
{
    uint64_t state = 1;
    for (size_t i = 0; i < count; i++) {
        uint64_t z = state += 0x9E3779B97F4A7C15u;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        v[i] = (double)(int64_t)(z ^ (z >> 31)) * 0x1p-63;
    }
}

static vks_status make(struct trial *t)
{
    vks_precision p = t->o.precision;
    vks_status s = vks_dense_from_array(t->c, t->rows, t->cols, p, VKS_F64, t->values, 0, &t->A);
    if (!s && is(t, "gemm"))
        s = vks_dense_from_array(t->c, t->rows, t->cols, p, VKS_F64, t->values, 0, &t->B);
    if (!s && is(t, "gemm"))
        s = vks_dense_create(t->c, t->rows, t->cols, 0, p, &t->C);
    if (!s)
        s = vks_vector_create(t->c, t->cols, p, &t->x);
    if (!s)
        s = vks_vector_create(t->c, t->rows, p, &t->y);
    return s ? s : vks_vector_write(t->x, 0, t->cols, VKS_F64, t->values);
}

static void release(struct trial *t)
{
    vks_dense_destroy(t->A);
    vks_dense_destroy(t->B);
    vks_dense_destroy(t->C);
    vks_vector_destroy(t->x);
    vks_vector_destroy(t->y);
    t->A = t->B = t->C = NULL;
    t->x = t->y = NULL;
}

static vks_status run_once(struct trial *t)
{
    vks_dense *inverse = NULL;
    const vks_gauss_jordan_options plain = {.no_condition = 1};
    if (is(t, "gemv"))
        return vks_gemv(t->A, t->x, NULL, t->form, t->y);
    if (is(t, "gemm"))
        return vks_gemm(t->A, t->B, t->C);
    if (!is(t, "invert"))
        return vks_gauss_jordan_solve_vector(t->A, t->x, t->y, &plain, &t->report);
    vks_status s = vks_gauss_jordan_invert(t->A, &inverse, &plain, &t->report);
    vks_dense_destroy(inverse);
    return s;
}

/* The times of whole calls or, with timestamps, of the kernels of the last call; t->c is closed. */
static vks_status measure(struct trial *t, bool timestamps, double *seconds, double *kernels)
{
    t->c = open_device(&t->o, timestamps);
    if (!t->c)
        return VKS_NO_DEVICE;
    vks_status s = make(t);
    for (int k = -1; k < t->o.repeats && !s; k++) {
        double begin = clock_seconds();
        s = run_once(t);
        if (k >= 0)
            seconds[k] = clock_seconds() - begin;
    }
    *kernels = NAN;
    if (!s && timestamps && vks_context_kernel_seconds(t->c, kernels))
        *kernels = NAN;
    if (s)
        fprintf(stderr, "bench_dense: %s\n", vks_context_message(t->c));
    release(t);
    vks_context_destroy(t->c);
    return s;
}

static double work_of(const struct trial *t)
{
    double n = t->cols;
    return is(t, "gemv") ? 2 * n * t->rows : is(t, "gemm") || is(t, "invert") ? 2 * n * n * n : n * n * n;
}

static vks_status report(struct trial *t, const char *name)
{
    double seconds[MOST], timed[MOST], kernels, unused;
    vks_status s = measure(t, false, seconds, &unused);
    if (!s)
        s = measure(t, true, timed, &kernels);
    if (s)
        return s;
    struct spread w = spread_of(seconds, t->o.repeats);
    double bytes = (double)t->rows * t->cols * (t->o.precision == VKS_F32 ? 4 : 8);
    double best = kernels > 0 ? kernels : w.least;
    printf("%s\t%u\t%u\t%.4f\t%.4f\t%.4f\t%.1f\t%.1f\t%.2e\n", name, t->rows, t->cols, 1e3 * w.median,
           1e3 * w.least, 1e3 * kernels, 1e-9 * work_of(t) / best, is(t, "gemv") ? 1e-9 * bytes / best : NAN,
           is(t, "solve") || is(t, "lapack") ? t->report.backward_error : NAN);
    fflush(stdout);
    return VKS_OK;
}

#ifdef VKS_HAVE_LAPACKE
static double norm_of(const double *A, uint32_t n)
{
    double norm = 0;
    for (uint32_t j = 0; j < n; j++) {
        double sum = 0;
        for (uint32_t i = 0; i < n; i++)
            sum += fabs(A[(size_t)i * n + j]);
        norm = fmax(norm, sum);
    }
    return norm;
}

/* dgesv, its time and the backward error of its result, in the same 1-norm as the other. */
static vks_status report_lapack(const struct trial *t)
{
    uint32_t n = t->cols;
    size_t count = (size_t)n * n;
    double *LU = malloc(8 * (count + 1)), *x = malloc(8 * (n + (size_t)1));
    lapack_int *pivot = malloc(sizeof *pivot * (n + (size_t)1));
    vks_status s = LU && x && pivot ? VKS_OK : VKS_OUT_OF_MEMORY;
    if (!s) {
        /* by columns as LAPACK expects, so that the time includes no copy */
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++)
                LU[(size_t)j * n + i] = t->values[(size_t)i * n + j];
        memcpy(x, t->values, 8 * (size_t)n);
        double begin = clock_seconds(), r = 0, size = 0, right = 0;
        lapack_int info =
            LAPACKE_dgesv(LAPACK_COL_MAJOR, (lapack_int)n, 1, LU, (lapack_int)n, pivot, x, (lapack_int)n);
        double seconds = clock_seconds() - begin;
        for (uint32_t i = 0; i < n; i++) {
            long double sum = t->values[i];
            for (uint32_t j = 0; j < n; j++)
                sum -= (long double)t->values[(size_t)i * n + j] * x[j];
            r += (double)fabsl(sum);
            size += fabs(x[i]);
            right += fabs(t->values[i]);
        }
        printf("dgesv\t%u\t%u\t%.4f\t%.4f\tnan\t%.1f\tnan\t%.2e\n", n, n, 1e3 * seconds, 1e3 * seconds,
               1e-9 * 2 / 3 * (double)n * n * n / seconds,
               info ? NAN : r / (norm_of(t->values, n) * size + right));
    }
    free(LU);
    free(x);
    free(pivot);
    return s;
}
#else
static vks_status report_lapack(const struct trial *t)
{
    (void)t;
    fprintf(stderr, "bench_dense: built without LAPACKE\n");
    return VKS_UNSUPPORTED;
}
#endif

static vks_status run(struct trial *t)
{
    size_t count = (size_t)t->rows * t->cols;
    t->values = malloc(8 * (count + t->rows + t->cols));
    if (!t->values)
        return VKS_OUT_OF_MEMORY;
    fill(t->values, count);
    vks_status s = VKS_OK;
    if (is(t, "gemv"))
        for (int form = VKS_GEMV_AUTO + 1; form < VKS_GEMV_COUNT_ && !s; form++) {
            char name[64];
            bool chosen = (int)vks_gemv_choice(t->rows, t->cols) == form;
            t->form = (vks_gemv_form)form;
            snprintf(name, sizeof name, "gemv %s%s", vks_gemv_form_name(t->form), chosen ? " (auto)" : "");
            s = report(t, name);
        }
    else
        s = report(t, is(t, "lapack") ? "solve" : t->what);
    if (!s && is(t, "lapack"))
        s = report_lapack(t);
    free(t->values);
    return s;
}

/* "gemv:300x20", "solve:1024" */
static bool parse(const char *text, char what[16], struct trial *t)
{
    static const char *const known[] = {"gemv", "gemm", "solve", "invert", "lapack"};
    char x = 0;
    int found = sscanf(text, "%15[a-z]:%" SCNu32 "%c%" SCNu32, what, &t->rows, &x, &t->cols);
    if (found == 2)
        t->cols = t->rows;
    t->what = what;
    bool is_known = false;
    for (int k = 0; k < 5; k++)
        is_known |= !strcmp(what, known[k]);
    return is_known && t->rows && t->cols && (found == 2 || (found == 4 && x == 'x' && is(t, "gemv")));
}

static bool read_options(int argc, char **argv, struct options *o)
{
    static const struct option names[] = {{"device", required_argument, NULL, 'd'},
                                          {"precision", required_argument, NULL, 'p'},
                                          {"repeats", required_argument, NULL, 'r'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
    *o = (struct options){.precision = VKS_F64, .repeats = 5};
    for (int c; (c = getopt_long(argc, argv, "", names, NULL)) != -1;)
        if (c == 'd')
            o->device = optarg;
        else if (c == 'p' && (!strcmp(optarg, "f64") || !strcmp(optarg, "f32")))
            o->precision = strcmp(optarg, "f32") ? VKS_F64 : VKS_F32;
        else if (c == 'r' && atoi(optarg) >= 1 && atoi(optarg) <= MOST)
            o->repeats = atoi(optarg);
        else
            return false;
    return optind < argc;
}

int main(int argc, char **argv)
{
    struct options o;
    if (!read_options(argc, argv, &o)) {
        fputs(help, argc > 1 && !strcmp(argv[1], "--help") ? stdout : stderr);
        return argc > 1 && !strcmp(argv[1], "--help") ? 0 : 1;
    }
    printf("what\trows\tcols\tmedian_ms\tleast_ms\tkernels_ms\tGFLOP/s\tGB/s\tbackward_error\n");
    for (int i = optind; i < argc; i++) {
        struct trial t = {.o = o};
        char what[16] = "";
        if (!parse(argv[i], what, &t)) {
            fprintf(stderr, "bench_dense: %s is not WHAT:SIZE\n", argv[i]);
            return 1;
        }
        if (run(&t))
            return 1;
    }
    return 0;
}
