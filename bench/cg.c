/* bench_cg: conjugate gradients on one device, as a table of tab-separated values;
 * docs/measurements/iterations.md explains the columns. */
#include "device/context.h"
#include "support/measure.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: bench_cg [OPTION...] KIND:SIZE|FILE.mtx ...\n"
    "\n"
    "Solves each system by conjugate gradients, to 1e-8 and in f32 to 1e-5, and prints a table.\n"
    "KIND: poisson2d, poisson3d, poisson3d27, elasticity3d, powerlawspd.\n"
    "\n"
    "  --device DEVICE     host, gpu, an index or part of a name (default: auto)\n"
    "  --precision LIST    of f64, f32 and mixed: iterations in f32 for an x in f64 (default: f64,f32)\n"
    "  --precond LIST      of none and jacobi (default: none,jacobi)\n"
    "  --format FORMAT     auto, or one of those of docs/formats.md (default: auto)\n"
    "  --repeats N         timed solves of each system (default: 5)\n"
    "  --rhs ones|product  b is all ones (default), or A times ones\n"
    "  --solves-only       neither first solves, SpMV nor the kernels of an iteration\n"
    "  --no-waiting        no workgroups wait for each other: a dispatch for each step\n"
    "  --help\n";

struct settings {
    const char *device;
    bool precision[3]; /* by vks_precision */
    bool precond[VKS_PRECOND_COUNT_];
    vks_format format;
    int repeats;
    bool product, solves_only, no_waiting;
};

static const char *const precision_names[] = {[VKS_F64] = "f64", [VKS_F32] = "f32", [VKS_MIXED] = "mixed"};

/* For one system in one precision. */
struct row {
    vks_format format;
    struct solves solves[VKS_PRECOND_COUNT_];
    struct iteration_times iteration[VKS_PRECOND_COUNT_];
    struct beginning first[VKS_PRECOND_COUNT_], later[VKS_PRECOND_COUNT_];
    double spmv_seconds, spmv_bytes;
    double copy_bandwidth;
};

/* Marks the names in a comma-separated list: marked[i] for the i-th name. */
static bool parse_list(const char *text, const char *(*name)(int), int names, bool *marked)
{
    for (int i = 0; i < names; i++)
        marked[i] = false;
    while (*text) {
        size_t length = strcspn(text, ",");
        int i = 0;
        while (i < names && (strlen(name(i)) != length || strncmp(name(i), text, length) != 0))
            i++;
        if (i == names)
            return false;
        marked[i] = true;
        text += length + (text[length] == ',');
    }
    return true;
}

static const char *precision_name(int i)
{
    return precision_names[i];
}

static const char *precond_name(int i)
{
    return i == VKS_PRECOND_AUTO ? "" : vks_precond_name((vks_precond_kind)i);
}

static bool parse_format(const char *text, vks_format *format)
{
    int i = 0;
    while (i < VKS_FORMAT_COUNT_ && strcmp(text, vks_format_name((vks_format)i)))
        i++;
    *format = (vks_format)i;
    return i < VKS_FORMAT_COUNT_;
}

/* Returns false on wrong usage. */
static bool parse(int argc, char **argv, struct settings *set)
{
    static const struct option options[] = {
        {"device", required_argument, NULL, 'd'},  {"precision", required_argument, NULL, 'p'},
        {"precond", required_argument, NULL, 'c'}, {"repeats", required_argument, NULL, 'r'},
        {"format", required_argument, NULL, 'f'},  {"rhs", required_argument, NULL, 'b'},
        {"solves-only", no_argument, NULL, 's'},   {"no-waiting", no_argument, NULL, 'w'},
        {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0}};
    bool good = true;
    for (int o; good && (o = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (o == 'd') {
            set->device = optarg;
        } else if (o == 'p') {
            good = parse_list(optarg, precision_name, 3, set->precision);
        } else if (o == 'c') {
            good = parse_list(optarg, precond_name, VKS_PRECOND_COUNT_, set->precond);
        } else if (o == 'f') {
            good = parse_format(optarg, &set->format);
        } else if (o == 'r') {
            set->repeats = atoi(optarg);
            good = set->repeats >= 1 && set->repeats <= MOST_REPEATS;
        } else if (o == 'b') {
            set->product = !strcmp(optarg, "product");
            good = set->product || !strcmp(optarg, "ones");
        } else if (o == 's') {
            set->solves_only = true;
        } else if (o == 'w') {
            set->no_waiting = true;
        } else if (o == 'h') {
            fputs(help, stdout);
            exit(0);
        } else {
            good = false;
        }
    }
    return good && optind < argc;
}

static vks_context_options context_options(const struct settings *set, struct message *m)
{
    return (vks_context_options){.device = set->device,
                                 .no_waiting = set->no_waiting,
                                 .message = m->text,
                                 .message_size = sizeof m->text};
}

/* Opens the device. Recordings with timestamps are not used for timing whole solves. */
static vks_context *open_device(const struct settings *set, bool timestamps)
{
    struct message m = {0};
    vks_context_options o = context_options(set, &m);
    o.timestamps = timestamps;
    vks_context *c;
    if (vks_context_create(&o, &c))
        fprintf(stderr, "bench_cg: %s\n", m.text);
    return c;
}

static vks_status measure_beginnings(struct message *m, const struct settings *set, const struct host_csr *a,
                                     vks_precision precision, struct row *row)
{
    vks_context_options o = context_options(set, m);
    vks_status s = VKS_OK;
    for (int i = VKS_PRECOND_AUTO + 1; i < VKS_PRECOND_COUNT_ && !s; i++)
        if (set->precond[i])
            s = time_beginnings(&o, a, precision, set->format, set->product, (vks_precond_kind)i,
                                &row->first[i], &row->later[i]);
    return s;
}

static vks_status measure_solves(vks_context *c, const struct settings *set, const struct host_csr *a,
                                 vks_precision precision, struct row *row)
{
    struct problem p;
    vks_status s = vks_context_copy_bandwidth(c, &row->copy_bandwidth);
    if (s)
        return s;
    s = problem_create(c, a, precision, set->format, set->product, &p);
    row->format = s ? VKS_FORMAT_AUTO : vks_matrix_format(p.A);
    for (int i = VKS_PRECOND_AUTO + 1; i < VKS_PRECOND_COUNT_ && !s; i++)
        if (set->precond[i])
            s = time_solves(&p, (vks_precond_kind)i, set->repeats, &row->solves[i]);
    problem_destroy(&p);
    return s;
}

static vks_status measure_kernels(vks_context *c, const struct settings *set, const struct host_csr *a,
                                  vks_precision precision, struct row *row)
{
    struct problem p;
    vks_status s = problem_create(c, a, precision, set->format, set->product, &p);
    if (!s)
        s = time_spmv(&p, &row->spmv_seconds, &row->spmv_bytes);
    for (int i = VKS_PRECOND_AUTO + 1; i < VKS_PRECOND_COUNT_ && !s; i++)
        if (set->precond[i])
            s = time_iteration(&p, (vks_precond_kind)i, &row->iteration[i]);
    problem_destroy(&p);
    return s;
}

static void print_header(void)
{
    puts(
        "device\tmatrix\tn\tentries\tprecision\tprecond\tformat\treason\titerations\trestarts\t"
        "true_residual\tsolve_s\tsolve_s_min\tsolve_s_max\titeration_us\titeration_us_min\titeration_us_max\t"
        "dispatches\titeration_bytes\tcopy_gbs\titeration_share\tspmv_us\tspmv_share\tkernels_us\t"
        "open_s\tfirst_matrix_s\tfirst_setup_s\tfirst_solve_s\tlater_matrix_s\tlater_setup_s\tlater_solve_s");
}

static void print_beginnings(const struct beginning *first, const struct beginning *later)
{
    if (first->open > 0)
        printf("\t%.6f\t%.6f\t%.6f\t%.6f\t%.6f\t%.6f\t%.6f\n", first->open, first->matrix, first->setup,
               first->solve, later->matrix, later->setup, later->solve);
    else
        puts("\t-\t-\t-\t-\t-\t-\t-");
}

static void print_row(const char *device, const char *what, const struct host_csr *a, vks_precision precision,
                      int precond, const struct row *row)
{
    const struct solves *v = &row->solves[precond];
    const vks_solve_report *r = &v->report;
    const char *slash = strrchr(what, '/');
    double k = r->iterations, share = r->bytes_per_iteration * k / (v->seconds.median * row->copy_bandwidth);
    printf("%s\t%s\t%u\t%zu\t%s\t%s\t%s\t%s\t%u\t%u\t%.2e", device, slash ? slash + 1 : what, a->rows,
           host_csr_entries(a), precision_names[precision], precond_name(precond),
           vks_format_name(row->format), vks_reason_name(r->reason), r->iterations, r->restarts,
           r->true_residual);
    printf("\t%.6f\t%.6f\t%.6f", v->seconds.median, v->seconds.least, v->seconds.most);
    printf("\t%.2f\t%.2f\t%.2f", 1e6 * v->seconds.median / k, 1e6 * v->seconds.least / k,
           1e6 * v->seconds.most / k);
    printf("\t%u\t%.0f\t%.3g\t%.3f", r->dispatches_per_iteration, r->bytes_per_iteration,
           row->copy_bandwidth / 1e9, share);
    if (row->spmv_seconds > 0)
        printf("\t%.2f\t%.3f", 1e6 * row->spmv_seconds,
               row->spmv_bytes / (row->spmv_seconds * row->copy_bandwidth));
    else
        printf("\t-\t-");
    const struct iteration_times *it = &row->iteration[precond];
    for (uint32_t i = 0; i < it->count; i++)
        printf("%c%s=%.2f", i ? ' ' : '\t', it->kernel[i], 1e6 * it->seconds[i]);
    if (!it->count)
        printf("\t-");
    print_beginnings(&row->first[precond], &row->later[precond]);
    fflush(stdout);
}

static vks_status print_failure(const char *what, vks_status s, const char *message)
{
    if (s)
        fprintf(stderr, "bench_cg: %s: %s\n", what, message);
    return s;
}

/* The rows of one system in one precision. */
static vks_status bench(const struct settings *set, vks_context *plain, vks_context *timed, const char *what,
                        const struct host_csr *a, vks_precision precision, struct row *row)
{
    vks_device_info info;
    vks_status s = vks_context_device(plain, &info);
    if (!s)
        s = print_failure(what, measure_solves(plain, set, a, precision, row), vks_context_message(plain));
    if (!s && timed)
        s = print_failure(what, measure_kernels(timed, set, a, precision, row), vks_context_message(timed));
    for (int i = VKS_PRECOND_AUTO + 1; i < VKS_PRECOND_COUNT_ && !s; i++)
        if (set->precond[i])
            print_row(info.name, what, a, precision, i, row);
    return s;
}

/* All rows of one system. First solves run first, because nothing has then warmed up the process for those of
 * the first system. Returns false after reporting a failure. */
static bool bench_system(const struct settings *set, const char *what)
{
    struct message m = {0};
    struct host_csr a = {0};
    struct row row[VKS_MIXED + 1] = {0};
    if (problem_load(&m, what, &a)) {
        fprintf(stderr, "bench_cg: %s\n", m.text);
        return false;
    }
    vks_status s = VKS_OK;
    for (int p = VKS_F64; p <= VKS_MIXED && !s && !set->solves_only; p++)
        if (set->precision[p])
            s = print_failure(what, measure_beginnings(&m, set, &a, (vks_precision)p, &row[p]), m.text);
    vks_context *plain = s ? NULL : open_device(set, false), *timed = NULL;
    if (plain && !set->solves_only)
        timed = open_device(set, true);
    bool good = plain && (timed || set->solves_only);
    for (int p = VKS_F64; p <= VKS_MIXED && good; p++)
        if (set->precision[p])
            good = !bench(set, plain, timed, what, &a, (vks_precision)p, &row[p]);
    vks_context_destroy(timed);
    vks_context_destroy(plain);
    host_csr_free(&a);
    return good;
}

int main(int argc, char **argv)
{
    struct settings set = {.precision = {true, true}, .repeats = 5};
    set.precond[VKS_PRECOND_NONE] = set.precond[VKS_PRECOND_JACOBI] = true;
    if (!parse(argc, argv, &set)) {
        fputs(help, stderr);
        return 1;
    }
    bool good = true;
    print_header();
    for (int i = optind; i < argc; i++)
        good = bench_system(&set, argv[i]) && good;
    return good ? 0 : 4;
}
