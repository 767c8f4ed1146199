/* bench_operator: compares the 7-point Laplacian as an operator with the same matrix in SELL, as a table of
 * tab-separated values. On machines without libshaderc it uses kernels that were compiled elsewhere. */
#include "command/models/generate_matrix.h"
#include "support/measure.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: bench_operator [OPTION...] WIDTH ...\n"
    "\n"
    "The 7-point Laplacian on grids of WIDTH^3: microseconds of a product and of an iteration of CG\n"
    "without a preconditioner, to 1e-8 and in f32 to 1e-5, for SELL, SELL with codes, and the operator.\n"
    "\n"
    "  --device DEVICE   host, gpu, an index or part of a name (default: auto)\n"
    "  --repeats N       timed solves of each system, 1 to 64 (default: 5)\n"
    "  --compile FILE    only compile the operator, into FILE\n"
    "  --compiled FILE   take it from there\n"
    "  --help\n";

static const char laplacian[] = "real row(uint i)\n"
                                "{\n"
                                "    uint w = word0, layer = w * w, column = i % w, line = i % layer;\n"
                                "    real sum = real(0);\n"
                                "    if (i >= layer)       sum = sum - x.at[i - layer];\n"
                                "    if (line >= w)        sum = sum - x.at[i - w];\n"
                                "    if (column > 0)       sum = sum - x.at[i - 1];\n"
                                "    sum = sum + real(6) * x.at[i];\n"
                                "    if (column + 1 < w)   sum = sum - x.at[i + 1];\n"
                                "    if (line + w < layer) sum = sum - x.at[i + w];\n"
                                "    if (i + layer < n)    sum = sum - x.at[i + layer];\n"
                                "    return sum;\n"
                                "}\n";

#define ROWS(name, real)                                                                                 \
    static void name(const vks_operator_view *A, uint32_t first, uint32_t count, const real *x, real *y) \
    {                                                                                                    \
        uint32_t w = A->word[0], layer = w * w;                                                          \
        for (uint32_t i = first; i < first + count; i++) {                                               \
            uint32_t column = i % w, line = i % layer;                                                   \
            real sum = 0;                                                                                \
            sum = i >= layer ? sum - x[i - layer] : sum;                                                 \
            sum = line >= w ? sum - x[i - w] : sum;                                                      \
            sum = column > 0 ? sum - x[i - 1] : sum;                                                     \
            sum = sum + 6 * x[i];                                                                        \
            sum = column + 1 < w ? sum - x[i + 1] : sum;                                                 \
            sum = line + w < layer ? sum - x[i + w] : sum;                                               \
            y[i] = i + layer < A->n ? sum - x[i + layer] : sum;                                          \
        }                                                                                                \
    }
ROWS(rows_f64, double)
ROWS(rows_f32, float)

struct settings {
    const char *device, *compile, *compiled;
    int repeats;
};

static const char *const forms[] = {"sell", "coded", "operator"};
enum { SELL, CODED, OPERATOR, FORMS };

/* Returns false on wrong usage. */
static bool parse(int argc, char **argv, struct settings *set)
{
    static const struct option options[] = {
        {"device", required_argument, NULL, 'd'},  {"repeats", required_argument, NULL, 'r'},
        {"compile", required_argument, NULL, 'o'}, {"compiled", required_argument, NULL, 'c'},
        {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0}};
    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (o == 'd') {
            set->device = optarg;
        } else if (o == 'r') {
            set->repeats = atoi(optarg);
        } else if (o == 'o') {
            set->compile = optarg;
        } else if (o == 'c') {
            set->compiled = optarg;
        } else if (o == 'h') {
            fputs(help, stdout);
            exit(0);
        } else {
            return false;
        }
    }
    return set->repeats >= 1 && set->repeats <= MOST_REPEATS && (set->compile || optind < argc);
}

static vks_context *open_device(const struct settings *set, bool timestamps)
{
    char message[1024] = "";
    vks_context_options o = {
        .device = set->device, .timestamps = timestamps, .message = message, .message_size = sizeof message};
    vks_context *c;
    if (vks_context_create(&o, &c))
        fprintf(stderr, "bench_operator: %s\n", message);
    return c;
}

static int compile_into(vks_context *c, const char *path)
{
    vks_operator d = {.glsl = laplacian};
    void *code;
    size_t bytes;
    if (vks_operator_compile(c, &d, &code, &bytes)) {
        fprintf(stderr, "bench_operator: %s\n", vks_context_message(c));
        return EXIT_FAILURE;
    }
    FILE *f = fopen(path, "wb");
    bool good = f && fwrite(code, 1, bytes, f) == bytes;
    good &= f && !fclose(f);
    free(code);
    if (!good)
        fprintf(stderr, "bench_operator: cannot write %s\n", path);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* The output of --compile, or NULL. */
static void *read_compiled(const char *path, size_t *bytes)
{
    enum { MOST = 1 << 20 };
    FILE *f = path ? fopen(path, "rb") : NULL;
    void *code = f ? malloc(MOST) : NULL;
    *bytes = code ? fread(code, 1, MOST, f) : 0;
    if (f)
        fclose(f);
    if (path && !code)
        fprintf(stderr, "bench_operator: cannot read %s\n", path);
    return code;
}

/* A grid in one precision and form, with b = 1. */
static vks_status create(vks_context *c, const struct host_csr *a, uint32_t width, vks_precision precision,
                         int form, const vks_operator *of, struct problem *p)
{
    vks_matrix_options o = {
        .precision = precision,
        .storage = {.format = VKS_FORMAT_SELL, .coding = form == CODED ? VKS_CODED_ALWAYS : VKS_CODED_NEVER}};
    vks_operator d = *of;
    *p = (struct problem){.context = c};
    d.precision = precision;
    d.word[0] = width;
    vks_status s = form == OPERATOR
                       ? vks_operator_create(c, a->rows, &d, &p->A)
                       : vks_matrix_from_csr(c, a->rows, a->cols, a->row, a->col, a->val, &o, &p->A);
    if (!s)
        s = vks_vector_create(c, a->rows, precision, &p->b);
    if (!s)
        s = vks_vector_create(c, a->rows, precision, &p->x);
    return s ? s : vks_vector_fill(p->b, 1);
}

static vks_status measure(vks_context *timed, vks_context *c, const struct settings *set,
                          const struct host_csr *a, uint32_t width, vks_precision precision,
                          const vks_operator *of)
{
    const char *name = precision == VKS_F32 ? "f32" : "f64";
    vks_status s = VKS_OK;
    for (int form = 0; form < FORMS && !s; form++) {
        struct problem p = {0}, q = {0};
        struct solves solves = {0};
        double seconds = 0, bytes = 0;
        s = create(timed, a, width, precision, form, of, &p);
        if (!s)
            s = time_spmv(&p, &seconds, &bytes);
        if (!s)
            s = create(c, a, width, precision, form, of, &q);
        if (!s)
            s = time_solves(&q, VKS_PRECOND_NONE, set->repeats, &solves);
        const vks_solve_report *r = &solves.report;
        if (!s)
            printf("%u\t%s\t%s\t%.2f\t%.0f\t%.2f\t%u\t%u\t%s\n", width, name, forms[form], 1e6 * seconds,
                   bytes, 1e6 * solves.seconds.median / r->iterations, r->iterations, r->together,
                   vks_reason_name(r->reason));
        problem_destroy(&p);
        problem_destroy(&q);
    }
    return s;
}

static int measure_all(vks_context *timed, vks_context *c, const struct settings *set, char **widths,
                       const vks_operator *of)
{
    printf("width\tprecision\tform\tproduct us\tproduct bytes\titeration us\titerations\ttogether\treason\n");
    for (; *widths; widths++) {
        struct message m = {0};
        struct host_csr a = {0};
        uint32_t width = (uint32_t)strtoul(*widths, NULL, 10);
        vks_status s = generate_matrix(&m, "poisson3d", width, &a);
        if (s)
            fprintf(stderr, "bench_operator: %s\n", m.text);
        if (!s)
            s = measure(timed, c, set, &a, width, VKS_F64, of);
        if (!s)
            s = measure(timed, c, set, &a, width, VKS_F32, of);
        host_csr_free(&a);
        if (s) {
            fprintf(stderr, "%s%s\n", vks_context_message(timed), vks_context_message(c));
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    struct settings set = {.repeats = 5};
    if (!parse(argc, argv, &set)) {
        fputs(help, stderr);
        return EXIT_FAILURE;
    }
    vks_operator of = {.rows_f64 = rows_f64, .rows_f32 = rows_f32};
    void *code = read_compiled(set.compiled, &of.compiled_bytes);
    of.compiled = code;
    of.glsl = code ? NULL : laplacian;
    vks_context *timed = open_device(&set, true), *c = open_device(&set, false);
    int status = EXIT_FAILURE;
    if (timed && c && (code || !set.compiled))
        status = set.compile ? compile_into(c, set.compile) : measure_all(timed, c, &set, argv + optind, &of);
    vks_context_destroy(timed);
    vks_context_destroy(c);
    free(code);
    return status;
}
