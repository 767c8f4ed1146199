/* bench_assembly: times to make a matrix from unsorted triplets on the device, to update its values, and to
 * transpose it, as a table of tab-separated values: by the device's clock, and for the whole call with its
 * allocations. Each result is checked entry by entry. peers/thrust_coo.cu does the same with Thrust. */
#include "sparse/assembly.h"
#include "coo_input.h"
#include "device/context.h"
#include "report/clock.h"
#include "support/measure.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: bench_assembly [OPTION...] [N...]\n"
    "\n"
    "Assembles N triplets (default: 1000000 10000000 100000000) in f64, seven entries a row, a fifth of\n"
    "the triplets duplicates.\n"
    "\n"
    "  --device DEVICE   host, gpu, an index or part of a name (default: auto)\n"
    "  --repeats N       timed calls of each kind (default: 5)\n"
    "  --in-order        the triplets stand row by row, instead of anywhere\n"
    "  --way WAY         how they are sorted: auto, segments, radix (default: auto)\n"
    "  --help\n";

struct settings {
    const char *device;
    int repeats;
    bool in_order;
    enum assembly_way way;
};

static const char *const ways[] = {"auto", "segments", "radix"}; /* as in enum assembly_way */
enum { WAYS = sizeof ways / sizeof *ways };

/* Triplets on the device, and the objects made from them. */
struct bench {
    vks_context *context;
    struct coo_input input;
    enum assembly_way way;
    vks_array *row, *col, *val;
    vks_assembly *assembly;
    vks_matrix *matrix, *transpose;
};

struct triplets_of {
    const struct coo_input *in;
    uint32_t *row, *col;
    double *val;
};

static void fill_triplets(const void *triplets, struct member *me)
{
    const struct triplets_of *t = triplets;
    TEAM_FOR(me, i, t->in->n, 4096, 1024)
    coo_triplet(t->in, i, &t->row[i], &t->col[i], &t->val[i]);
}

static vks_status write_triplets(struct bench *b, uint32_t *row, uint32_t *col, double *val)
{
    const struct coo_input *in = &b->input;
    team_run(b->context->device->team, fill_triplets, &(struct triplets_of){in, row, col, val});
    vks_status s = vks_array_write(b->row, 0, in->n, row);
    if (!s)
        s = vks_array_write(b->col, 0, in->n, col);
    return s ? s : vks_array_write(b->val, 0, in->n, val);
}

static vks_status make_triplets(struct bench *b)
{
    uint32_t n = b->input.n, *row = malloc(4 * (size_t)n), *col = malloc(4 * (size_t)n);
    double *val = malloc(8 * (size_t)n);
    vks_status s = row && col && val ? VKS_OK : fail_memory(&b->context->message, "triplets", 16 * (size_t)n);
    if (!s)
        s = vks_array_create(b->context, n, VKS_TYPE_U32, &b->row);
    if (!s)
        s = vks_array_create(b->context, n, VKS_TYPE_U32, &b->col);
    if (!s)
        s = vks_array_create(b->context, n, VKS_TYPE_F64, &b->val);
    if (!s)
        s = write_triplets(b, row, col, val);
    free(row);
    free(col);
    free(val);
    return s;
}

static void free_bench(struct bench *b)
{
    vks_array_destroy(b->row);
    vks_array_destroy(b->col);
    vks_array_destroy(b->val);
    vks_assembly_destroy(b->assembly);
    vks_matrix_destroy(b->matrix);
    vks_matrix_destroy(b->transpose);
}

/* The timed calls. */

static vks_status create(struct bench *b)
{
    return assembly_create(b->context, b->input.rows, b->input.rows, b->row, b->col, b->way, &b->assembly);
}

static vks_status make_matrix(struct bench *b)
{
    return vks_assembly_matrix(b->assembly, b->val, VKS_FORMAT_CSR, &b->matrix);
}

static vks_status update(struct bench *b)
{
    return vks_assembly_update(b->assembly, b->val, b->matrix);
}

static vks_status transpose(struct bench *b)
{
    return vks_matrix_transpose(b->matrix, VKS_FORMAT_CSR, &b->transpose);
}

/* Undo the timed calls. */

static void drop_assembly(struct bench *b)
{
    vks_assembly_destroy(b->assembly);
    b->assembly = NULL;
}

static void drop_matrix(struct bench *b)
{
    vks_matrix_destroy(b->matrix);
    b->matrix = NULL;
}

static void drop_transpose(struct bench *b)
{
    vks_matrix_destroy(b->transpose);
    b->transpose = NULL;
}

static void drop_nothing(struct bench *b)
{
    (void)b;
}

static const struct step {
    const char *name;
    vks_status (*make)(struct bench *);
    void (*drop)(struct bench *);
} steps[] = {{"create", create, drop_assembly},
             {"matrix", make_matrix, drop_matrix},
             {"update", update, drop_nothing},
             {"transpose", transpose, drop_transpose}};
enum { STEPS = sizeof steps / sizeof *steps };

/* Whether A is the matrix of the input, or its transpose. */
static bool right(const struct coo_input *in, const vks_matrix *A, bool transposed)
{
    size_t entries = COO_ENTRIES * (size_t)in->rows;
    uint32_t *row = malloc(4 * ((size_t)in->rows + 1)), *col = malloc(4 * entries), wrong = 0;
    double *val = malloc(8 * entries);
    bool good = row && col && val && vks_matrix_entries(A) == entries &&
                !vks_matrix_to_csr(A, row, col, VKS_F64, val);
    for (uint32_t i = 0; i < (good ? in->rows : 0); i++) {
        uint32_t columns[COO_ENTRIES];
        double values[COO_ENTRIES];
        coo_row(in, i, transposed, columns, values);
        wrong += row[i + (size_t)1] != COO_ENTRIES * (i + 1) ||
                 memcmp(columns, col + COO_ENTRIES * (size_t)i, sizeof columns) != 0 ||
                 memcmp(values, val + COO_ENTRIES * (size_t)i, sizeof values) != 0;
    }
    free(row);
    free(col);
    free(val);
    return good && wrong == 0;
}

/* Times a step; the objects made by its last call remain. */
static vks_status time_step(struct bench *b, const struct step *step, int repeats, struct spread *device,
                            struct spread *call)
{
    double kernels[MOST_REPEATS], calls[MOST_REPEATS];
    vks_status s = VKS_OK;
    for (int i = -1; i < repeats && !s; i++) { /* the first warms up */
        step->drop(b);
        double begun = clock_seconds();
        s = step->make(b);
        calls[i < 0 ? 0 : i] = clock_seconds() - begun;
        if (!s)
            s = vks_context_kernel_seconds(b->context, &kernels[i < 0 ? 0 : i]);
    }
    if (s)
        return s;
    *device = spread_of(kernels, repeats);
    *call = spread_of(calls, repeats);
    return s;
}

static vks_status run_steps(struct bench *b, const struct settings *set)
{
    vks_status s = make_triplets(b);
    for (int k = 0; k < STEPS && !s; k++) {
        struct spread device, call;
        s = time_step(b, &steps[k], set->repeats, &device, &call);
        if (s)
            return s;
        const vks_matrix *A = b->transpose ? b->transpose : b->matrix;
        bool good = A ? right(&b->input, A, b->transpose != NULL)
                      : vks_assembly_entries(b->assembly) == COO_ENTRIES * b->input.rows;
        printf("vksolve\t%s\t%s\t%s\t%" PRIu32 "\t%.4f\t%.4f\t%.4f\t%.4f\t%s\n", steps[k].name,
               set->in_order ? "in order" : "mixed", ways[set->way], b->input.n, 1e3 * device.median,
               1e3 * device.least, 1e3 * call.median, 1e-9 * b->input.n / device.median,
               good ? "right" : "WRONG");
        fflush(stdout);
        if (!good)
            s = fail(&b->context->message, VKS_DEVICE_LOST, "the matrix is wrong");
    }
    return s;
}

static vks_status run_size(vks_context *c, const struct settings *set, const char *n)
{
    unsigned long long triplets = strtoull(n, NULL, 10);
    if (triplets < COO_LEAST || triplets > VKS_LARGEST_INDEX)
        return fail(&c->message, VKS_INVALID_ARGUMENT, "%s triplets: from %d to %u", n, COO_LEAST,
                    VKS_LARGEST_INDEX);
    struct bench b = {
        .context = c, .input = coo_input_of((uint32_t)triplets, !set->in_order), .way = set->way};
    vks_status s = run_steps(&b, set);
    free_bench(&b);
    return s;
}

/* WAYS if the name is unknown. */
static enum assembly_way way_of(const char *name)
{
    int way = 0;
    while (way < WAYS && strcmp(name, ways[way]))
        way++;
    return (enum assembly_way)way;
}

/* Returns false on wrong usage. */
static bool parse(int argc, char **argv, struct settings *set)
{
    static const struct option options[] = {
        {"device", required_argument, NULL, 'd'}, {"repeats", required_argument, NULL, 'r'},
        {"in-order", no_argument, NULL, 'o'},     {"way", required_argument, NULL, 'w'},
        {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0}};
    for (int c; (c = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        if (c == 'd')
            set->device = optarg;
        else if (c == 'r')
            set->repeats = atoi(optarg);
        else if (c == 'o')
            set->in_order = true;
        else if (c == 'w')
            set->way = way_of(optarg);
        else if (c == 'h')
            exit(fputs(help, stdout) < 0);
        else
            return false;
    }
    return set->repeats >= 1 && set->repeats <= MOST_REPEATS && (int)set->way < WAYS;
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
        return fprintf(stderr, "bench_assembly: %s\n", message), EXIT_FAILURE;
    printf("library\tstep\torder\tway\tn\tdevice_ms\tdevice_ms_min\tcall_ms\tgtriplets_s\tresult\n");
    vks_status s = VKS_OK;
    for (char **n = argv[optind] ? argv + optind : defaults; *n && !s; n++)
        s = run_size(c, &set, *n);
    if (s)
        fprintf(stderr, "bench_assembly: %s\n", vks_context_message(c));
    vks_context_destroy(c);
    return s ? EXIT_FAILURE : EXIT_SUCCESS;
}
