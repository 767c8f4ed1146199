/* bench_amg: setup and solve of conjugate gradients with each preconditioner of a list, as a table of
 * tab-separated values. b is A times ones, x starts at 0. */
#include "report/clock.h"
#include "support/input.h"
#include "support/measure.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: bench_amg [OPTION...] KIND:SIZE|FILE.mtx ...\n"
    "\n"
    "Solves each system by conjugate gradients with each preconditioner, in a context of its own, until\n"
    "the true residual is 1e-8, and prints a line for both.\n"
    "KIND: poisson2d, poisson3d, poisson3d27, elasticity3d, powerlawspd, jump3d (with :CONTRAST, 1000).\n"
    "\n"
    "  --device DEVICE   host, gpu, an index or part of a name (default: auto)\n"
    "  --precond LIST    as vksolve's --precond takes them (default: jacobi,amg,amg/f32)\n"
    "  --coordinates     amg that names no block takes rigid body modes of elasticity3d\n"
    "  --rtol R          the tolerance (default: 1e-8)\n"
    "  --repeats N       set-ups and solves after the first (default: 5)\n"
    "  --levels          a line for each level, to standard error\n"
    "  --help\n"
    "\n"
    "Times are in milliseconds: first is the first set-up and solve in the context, which also makes\n"
    "pipelines; median and least are those of the later ones. bytes: memory of the preconditioner;\n"
    "setup_bytes: the most that its set-up took.\n";

enum { MOST_PRECONDS = 32 };

struct settings {
    const char *device;
    char precond[MOST_PRECONDS][LONGEST_PRECOND + 1];
    int preconds, repeats;
    double rtol;
    bool coordinates, levels;
};

struct times {
    double first;
    struct spread later; /* zero if only the first was run */
};

struct row {
    vks_solve_report report; /* of the last solve */
    vks_format format;
    double matrix; /* seconds until A was on the device */
    struct times setup, solve, total;
};

/* Splits the list at commas outside parentheses. */
static bool parse_preconds(const char *text, struct settings *set)
{
    set->preconds = 0;
    while (*text) {
        size_t length = 0;
        for (int depth = 0; text[length] && (depth > 0 || text[length] != ','); length++)
            depth += (text[length] == '(') - (text[length] == ')');
        if (set->preconds == MOST_PRECONDS || length > LONGEST_PRECOND)
            return false;
        snprintf(set->precond[set->preconds++], LONGEST_PRECOND + 1, "%.*s", (int)length, text);
        text += length + (text[length] == ',');
    }
    struct message m;
    struct precond_words words;
    for (int i = 0; i < set->preconds; i++)
        if (preconds_read(&m, set->precond[i], &words)) {
            fprintf(stderr, "bench_amg: %s\n", m.text);
            return false;
        }
    return set->preconds > 0;
}

/* Returns false on wrong usage. */
static bool parse(int argc, char **argv, struct settings *set)
{
    static const struct option options[] = {
        {"device", required_argument, NULL, 'd'},  {"precond", required_argument, NULL, 'p'},
        {"coordinates", no_argument, NULL, 'c'},   {"rtol", required_argument, NULL, 't'},
        {"repeats", required_argument, NULL, 'r'}, {"levels", no_argument, NULL, 'l'},
        {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0}};
    bool good = parse_preconds("jacobi,amg,amg/f32", set);
    for (int o; good && (o = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (o == 'd') {
            set->device = optarg;
        } else if (o == 'p') {
            good = parse_preconds(optarg, set);
        } else if (o == 'c') {
            set->coordinates = true;
        } else if (o == 't') {
            set->rtol = strtod(optarg, NULL);
            good = set->rtol > 0;
        } else if (o == 'r') {
            set->repeats = atoi(optarg);
            good = set->repeats >= 0 && set->repeats <= MOST_REPEATS;
        } else if (o == 'l') {
            set->levels = true;
        } else if (o == 'h') {
            fputs(help, stdout);
            exit(0);
        } else {
            good = false;
        }
    }
    return good && optind < argc;
}

static vks_status repeat(const struct problem *p, const vks_solve_options *o, int repeats, struct row *row)
{
    double setup[MOST_REPEATS], solve[MOST_REPEATS], total[MOST_REPEATS];
    vks_status s = vks_solve(p->A, p->b, p->x, o, &row->report);
    row->setup.first = row->report.seconds_setup;
    row->solve.first = row->report.seconds_solve;
    row->total.first = row->setup.first + row->solve.first;
    for (int i = 0; i < repeats && !s; i++) {
        s = vks_solve(p->A, p->b, p->x, o, &row->report);
        setup[i] = row->report.seconds_setup;
        solve[i] = row->report.seconds_solve;
        total[i] = setup[i] + solve[i];
    }
    if (!s && repeats) {
        row->setup.later = spread_of(setup, repeats);
        row->solve.later = spread_of(solve, repeats);
        row->total.later = spread_of(total, repeats);
    }
    return s;
}

static vks_status measure(vks_context *c, const struct settings *set, const struct input *in,
                          const vks_precond_options *precond, struct row *row)
{
    struct problem p;
    vks_solve_options o = {.precond_options = precond, .rtol = set->rtol, .zero_guess = 1};
    vks_status s = problem_create(c, &in->a, VKS_F64, VKS_FORMAT_AUTO, true, &p);
    if (!s) {
        row->format = vks_matrix_format(p.A);
        row->matrix = p.seconds_matrix;
        s = repeat(&p, &o, set->repeats, row);
    }
    problem_destroy(&p);
    return s;
}

static void print_times(const struct times *t)
{
    printf("\t%.3f\t%.3f\t%.3f", 1e3 * t->first, 1e3 * t->later.median, 1e3 * t->later.least);
}

static void print_row(const char *device, const struct input *in, const char *precond, bool modes,
                      const struct row *row)
{
    const vks_solve_report *r = &row->report;
    const char *slash = strrchr(in->what, '/');
    printf("%s\t%s\t%u\t%zu\t%s%s\t%s\t%s\t%u\t%.2e", device, slash ? slash + 1 : in->what, in->a.rows,
           host_csr_entries(&in->a), precond, modes ? "+coordinates" : "", vks_format_name(row->format),
           vks_reason_name(r->reason), r->iterations, r->true_residual);
    printf("\t%u\t%.3f\t%.3f", r->hierarchy.levels, r->hierarchy.operator_complexity,
           r->hierarchy.grid_complexity);
    printf("\t%.3f", 1e3 * row->matrix);
    print_times(&row->setup);
    print_times(&row->solve);
    print_times(&row->total);
    printf("\t%.3f\t%u\t%.0f\t%llu\t%llu\t%llu\n",
           r->iterations ? 1e6 * row->solve.later.median / r->iterations : 0, r->dispatches_per_iteration,
           r->bytes_per_iteration, (unsigned long long)r->precond_bytes,
           (unsigned long long)r->hierarchy.setup_bytes, (unsigned long long)r->hierarchy.expected_bytes);
    fflush(stdout);
}

static void print_levels(const struct input *in, const char *precond, const vks_hierarchy *h)
{
    for (uint32_t i = 0; i < h->levels; i++)
        fprintf(stderr, "%s %s level %u: %u rows, %u entries, set up in %.3f ms\n", in->what, precond, i + 1,
                h->level[i].rows, h->level[i].entries, 1e3 * h->level[i].seconds);
}

/* Prints one line. Returns false after reporting a failure. */
static bool bench(const struct settings *set, const struct input *in, const char *precond)
{
    struct message m = {0};
    struct precond_words words;
    struct row row = {0};
    vks_context *c = NULL;
    vks_device_info info;
    vks_context_options o = {.device = set->device, .message = m.text, .message_size = sizeof m.text};
    vks_status s = preconds_read(&m, precond, &words);
    if (!s)
        s = vks_context_create(&o, &c);
    if (!s)
        s = vks_context_device(c, &info);
    bool modes = !s && input_take_coordinates(in, &words);
    if (!s)
        s = measure(c, set, in, words.options, &row);
    if (s) {
        fprintf(stderr, "bench_amg: %s, %s: %s\n", in->what, precond, c ? vks_context_message(c) : m.text);
    } else {
        print_row(info.name, in, precond, modes, &row);
        if (set->levels)
            print_levels(in, precond, &row.report.hierarchy);
    }
    vks_context_destroy(c);
    return !s;
}

static bool bench_system(const struct settings *set, const char *what)
{
    struct message m = {0};
    struct input in;
    bool good = !input_load(&m, what, set->coordinates, &in);
    if (!good)
        fprintf(stderr, "bench_amg: %s\n", m.text);
    for (int i = 0; i < set->preconds && in.a.row; i++)
        good = bench(set, &in, set->precond[i]) && good;
    input_free(&in);
    return good;
}

int main(int argc, char **argv)
{
    struct settings set = {.repeats = 5, .rtol = 1e-8};
    if (!parse(argc, argv, &set)) {
        fputs(help, stderr);
        return 1;
    }
    puts("device\tmatrix\tn\tentries\tprecond\tformat\treason\titerations\ttrue_residual\tlevels\t"
         "operator_complexity\tgrid_complexity\tmatrix_ms\tsetup_first\tsetup_median\tsetup_least\t"
         "solve_first\tsolve_median\tsolve_least\ttotal_first\ttotal_median\ttotal_least\titeration_us\t"
         "dispatches\titeration_bytes\tbytes\tsetup_bytes\texpected_bytes");
    bool good = true;
    for (int i = optind; i < argc; i++)
        good = bench_system(&set, argv[i]) && good;
    return good ? 0 : 4;
}
