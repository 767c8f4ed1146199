/* bench_solve_bits: the results of every kind of solve, as a table of hashes, so that two builds or two
 * devices can be compared bit by bit. */
#include "support/bits_line.h"
#include "support/without_f64.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: bench_solve_bits [OPTION...]\n"
    "\n"
    "Solves small systems in every way and prints a line for each, tab-separated: "
    "what was asked for, how it\n"
    "ended, and hashes (FNV-1a, 64 bits) of x, of the history, of the report's "
    "numbers and of its facts. The\n"
    "last column is detail and warning, or the message of a call that was refused. "
    "Two builds that print the\n"
    "same give the same bits. Starts in the root of the tree, where matrices/ is.\n"
    "\n"
    "  --device DEVICE  host, gpu, an index or part of a name (default: host)\n"
    "  --every K        the first of each K systems alone (default: 1)\n"
    "  --thin K         each K-th case of a system alone, with another start in the next one (default: 1)\n"
    "  --only TEXT      systems whose names hold TEXT\n"
    "  --pairs          also on the device as one without 64-bit floats\n"
    "  --threads N      of the processor (default: 1)\n"
    "  --no-waiting     no workgroups wait for each other: a dispatch for each step\n"
    "  --list           print the names of the systems\n"
    "  --help\n";

struct settings {
    const char *device, *only;
    uint32_t every, thin, threads;
    bool pairs, no_waiting, list;
};

struct device {
    vks_context *context;
    vks_device_info info;
};

struct total {
    uint64_t lines, hash;
};

/* Returns false on wrong usage. */
static bool parse(int argc, char **argv, struct settings *set)
{
    static const struct option options[] = {
        {"device", required_argument, NULL, 'd'}, {"every", required_argument, NULL, 'e'},
        {"only", required_argument, NULL, 'o'},   {"thin", required_argument, NULL, 'n'},
        {"pairs", no_argument, NULL, 'p'},        {"threads", required_argument, NULL, 't'},
        {"no-waiting", no_argument, NULL, 'w'},   {"list", no_argument, NULL, 'l'},
        {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0}};
    bool good = true;
    for (int o; good && (o = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (o == 'd') {
            set->device = optarg;
        } else if (o == 'e') {
            set->every = (uint32_t)strtoul(optarg, NULL, 10);
        } else if (o == 'n') {
            set->thin = (uint32_t)strtoul(optarg, NULL, 10);
        } else if (o == 'o') {
            set->only = optarg;
        } else if (o == 'p') {
            set->pairs = true;
        } else if (o == 't') {
            set->threads = (uint32_t)strtoul(optarg, NULL, 10);
        } else if (o == 'w') {
            set->no_waiting = true;
        } else if (o == 'l') {
            set->list = true;
        } else if (o == 'h') {
            fputs(help, stdout);
            exit(0);
        } else {
            good = false;
        }
    }
    return good && optind == argc && set->every && set->thin && set->threads;
}

static struct device open_device(const struct settings *set, bool without_f64)
{
    char message[512] = "";
    vks_context_options o = {.device = set->device,
                             .threads = set->threads,
                             .no_waiting = set->no_waiting,
                             .message = message,
                             .message_size = sizeof message};
    struct device d = {.context = NULL};
    if (without_f64 ? open_without_f64(&o, &d.context) : vks_context_create(&o, &d.context))
        bits_give_up(set->device, message);
    if (vks_context_device(d.context, &d.info))
        bits_give_up(set->device, vks_context_message(d.context));
    return d;
}

/* Operators have functions only for the host. Elimination costs n^3 and forms a dense matrix; beyond its
 * limit it is refused at once. */
static bool suits(const struct bits_case *c, const struct bits_csr *a, uint32_t number, bool on_host)
{
    bool dense = c->call == CALL_DENSE || c->call == CALL_INVERSE;
    if (!on_host && (c->call == CALL_OPERATOR || c->call == CALL_OPERATOR_D))
        return false;
    if (c->share && number % c->share)
        return false;
    if (c->call == CALL_ONE_OFF && a->rows != a->cols)
        return false;
    return c->o.method != VKS_METHOD_GAUSS_JORDAN || a->rows <= 640 ||
           (!dense && a->rows > VKS_GAUSS_JORDAN_LARGEST);
}

static void describe(char line[BITS_LINE], const struct bits_system *s, uint32_t n, const struct bits_case *c,
                     const char *precision)
{
    bool fixed = c->call == CALL_FIXED_POINT || c->call == CALL_FIXED_AS_IS;
    char blocks[16] = "";
    if (c->o.block_size)
        snprintf(blocks, sizeof blocks, "/%u", c->o.block_size);
    snprintf(line, BITS_LINE, "%s\t%u\t%s\t%s%s\t%s\t%s\t", s->name, n,
             fixed ? "fixed-point" : vks_method_name(c->o.method), vks_precond_name(c->o.precond), blocks,
             precision, c->form);
}

static void run_case(const struct device *d, const struct bits_system *s, const struct bits_csr *a,
                     const struct bits_case *c, const struct bits_precision *p, struct total *total)
{
    char line[BITS_LINE];
    struct bits_outcome o = bits_run(d->context, a, c, p->precision);
    describe(line, s, a->rows, c, p->name);
    bits_append_outcome(line, &o, d->info.name);
    puts(line);
    total->lines++;
    total->hash = bits_hash(total->hash, line, strlen(line));
}

static void run_system(const struct device devices[2], const struct settings *set, uint32_t number,
                       struct total *total)
{
    const struct bits_system *s = &bits_systems[number];
    struct bits_csr a = bits_csr_make(s);
    for (uint32_t i = number / set->every % set->thin; i < bits_case_count; i += set->thin)
        for (int p = 0; p < BITS_PRECISIONS; p++) {
            const struct bits_precision *precision = &bits_precisions[p];
            const struct bits_case *c = &bits_cases[i];
            const struct device *d = &devices[precision->without_f64];
            if (c->in >> p & 1 && d->context && suits(c, &a, number, d->info.kind == VKS_DEVICE_HOST))
                run_case(d, s, &a, c, precision, total);
        }
    bits_csr_free(&a);
}

static void run_all(const struct settings *set)
{
    struct total total = {.hash = BITS_HASH_START};
    struct device devices[2] = {open_device(set, false)};
    if (set->pairs)
        devices[1] = open_device(set, true);
    puts("system\tn\tmethod\tprecond\tprecision\tform\treason\titerations\trestarts\trefinements\t"
         "history_count\tx\thistory\tnumbers\tfacts\ttext");
    for (uint32_t i = 0; i < bits_system_count; i += set->every)
        if (strstr(bits_systems[i].name, set->only))
            run_system(devices, set, i, &total);
    printf("%" PRIu64 " cases, hash %016" PRIx64 "\n", total.lines, total.hash);
    vks_context_destroy(devices[1].context);
    vks_context_destroy(devices[0].context);
}

int main(int argc, char **argv)
{
    struct settings set = {.device = "host", .only = "", .every = 1, .thin = 1, .threads = 1};
    if (!parse(argc, argv, &set)) {
        fputs("bench_solve_bits: wrong usage; --help tells more\n", stderr);
        return 2;
    }
    if (!set.list)
        run_all(&set);
    for (uint32_t i = 0; i < bits_system_count && set.list; i += set.every)
        if (strstr(bits_systems[i].name, set.only))
            puts(bits_systems[i].name);
    return 0;
}
