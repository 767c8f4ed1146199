/* bench_method_bits: every method with every preconditioner, scaling and precision, on a device and on the
 * host: checks for the same bits, or the same refusal. */
#include "report/clock.h"
#include "support/bits_line.h"
#include "support/without_f64.h"
#include "vksolve/precond.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: bench_method_bits [OPTION...] DEVICE\n"
    "\n"
    "Solves small systems by every method with every preconditioner, scaling and precision, on the device "
    "and\n"
    "on the host, and compares the bits of x, of the history and of the report, or the messages of what is\n"
    "refused. Prints what differs, and a table. The exit status is 1 if anything differs.\n"
    "\n"
    "  --times K    systems of K times as many rows, 270 (default: 1)\n"
    "  --every K    each K-th combination alone, say 11 (default: 1)\n"
    "  --only TEXT  combinations whose names hold TEXT, as in \"saddle minres fsai none f64\"\n"
    "  --help\n";

struct settings {
    const char *device, *only;
    uint32_t times, every;
};

#define GRID2(w, h) .n = (w) * (h), .width = (w), .height = (h)
#define GRID3(w, h, d) .n = (w) * (h) * (d), .width = (w), .height = (h)

/* Slightly more than a tile of rows: eliminations, whose cost is cubic, take most of the time. */
static const struct bits_system systems[] = {
    {"convection", entry_star, GRID3(5, 6, 9), .q = 0.9},
    {"poisson", entry_star, GRID2(15, 18)},
    {"saddle", entry_saddle, .n = 270, .width = 12, .height = 18},
    {"turned", entry_turned, GRID2(15, 18), .q = 0.25, .p = 1},
    {"tall", entry_box, GRID2(15, 18), .cols = 200},
};
enum { SYSTEMS = sizeof systems / sizeof *systems, ITERATIONS = 24, MOST_ELIMINATED = 640 };

/* The precision is an index of bits_precisions. */
static const struct way {
    const char *name;
    uint32_t precision;
    bool precond_in_f32, iterate_in_f32;
} ways[] = {
    {.name = "f64", .precision = 0},
    {.name = "f32", .precision = 1},
    {.name = "mixed", .precision = 2},
    {.name = "f64, M in f32", .precision = 0, .precond_in_f32 = true},
    {.name = "f64 in f32", .precision = 0, .iterate_in_f32 = true},
    {.name = "pairs", .precision = 3},
    {.name = "f32 without f64", .precision = 4},
};
enum { WAYS = sizeof ways / sizeof *ways };

struct combination {
    vks_method method;
    vks_precond_kind precond;
    vks_scaling scaling;
    const struct way *way;
};

enum { HOST, DEVICE, SIDES };

/* The second of each acts as a device without 64-bit floats. */
struct sides {
    vks_context *context[SIDES][2];
    char name[SIDES][256];
};

struct tally {
    uint32_t all, equal, refused;
    double seconds;
};

static void open_side(struct sides *to, int side, const char *device)
{
    char message[512] = "";
    vks_context_options o = {.device = device, .message = message, .message_size = sizeof message};
    vks_device_info info;
    if (vks_context_create(&o, &to->context[side][false]) || open_without_f64(&o, &to->context[side][true]) ||
        vks_context_device(to->context[side][false], &info))
        bits_give_up(device, message);
    snprintf(to->name[side], sizeof to->name[side], "%s", info.name);
}

static void close_sides(struct sides *s)
{
    for (int side = 0; side < SIDES; side++)
        for (int i = 0; i < 2; i++)
            vks_context_destroy(s->context[side][i]);
}

/* AUTO shares one limit among its strategies. */
static struct bits_case case_of(const struct combination *c, const vks_precond_options *in_f32)
{
    struct bits_case one = {.o = {.method = c->method,
                                  .scaling = c->scaling,
                                  .max_iterations = c->method == VKS_METHOD_AUTO ? 0 : ITERATIONS,
                                  .iterate_in_f32 = c->way->iterate_in_f32}};
    if (c->way->precond_in_f32)
        one.o.precond_options = in_f32;
    else
        one.o.precond = c->precond;
    return one;
}

static void compare(const struct sides *s, const struct bits_csr *a, const struct combination *c,
                    const char *name, struct tally *t)
{
    const struct bits_precision *p = &bits_precisions[c->way->precision];
    const vks_precond_options in_f32 = {.kind = c->precond, .in_f32 = 1};
    struct bits_case one = case_of(c, &in_f32);
    char line[SIDES][BITS_LINE] = {"", ""};
    vks_status status = VKS_OK;
    for (int side = 0; side < SIDES; side++) {
        struct bits_outcome o = bits_run(s->context[side][p->without_f64], a, &one, p->precision);
        if (o.status == VKS_TIMEOUT || o.status == VKS_DEVICE_LOST)
            bits_give_up(name, o.message);
        bits_append_outcome(line[side], &o, s->name[side]);
        status = o.status;
    }
    bool same = !strcmp(line[HOST], line[DEVICE]);
    t->all++;
    t->equal += same && !status;
    t->refused += same && status;
    for (int side = 0; side < SIDES && !same; side++)
        printf("%s\t%s\t%s\n", name, side == HOST ? "host" : "device", line[side]);
}

static bool is_wanted(const struct settings *set, const struct bits_csr *a, const struct combination *c,
                      const char *name, uint32_t number)
{
    bool dense = c->method == VKS_METHOD_GAUSS_JORDAN || c->precond == VKS_PRECOND_DENSE;
    return number % set->every == 0 && strstr(name, set->only) && !(dense && a->rows > MOST_ELIMINATED);
}

/* The automatic method takes no external scaling. The automatic scaling is one of the others. */
static vks_scaling first_scaling(vks_method m)
{
    return m == VKS_METHOD_AUTO ? VKS_SCALING_AUTO : VKS_SCALING_NONE;
}

static vks_scaling last_scaling(vks_method m)
{
    return m == VKS_METHOD_AUTO ? VKS_SCALING_AUTO : VKS_SCALING_COUNT_ - 1;
}

/* `number` counts the combinations of all systems. */
static void run_system(const struct sides *s, const struct settings *set, uint32_t at, uint32_t *number,
                       struct tally *of_method)
{
    struct bits_system system = systems[at];
    system.n *= set->times;
    system.cols *= set->times;
    struct bits_csr a = bits_csr_make(&system);
    for (vks_method m = 0; m < VKS_METHOD_COUNT_; m++) {
        double begun = clock_seconds();
        for (vks_precond_kind p = 0; p < VKS_PRECOND_COUNT_; p++)
            for (vks_scaling r = first_scaling(m); r <= last_scaling(m); r++)
                for (uint32_t w = 0; w < WAYS; w++) {
                    struct combination c = {m, p, r, &ways[w]};
                    char name[160];
                    snprintf(name, sizeof name, "%s %s %s %s %s", system.name, vks_method_name(m),
                             vks_precond_name(p), vks_scaling_name(r), ways[w].name);
                    if (is_wanted(set, &a, &c, name, (*number)++))
                        compare(s, &a, &c, name, &of_method[m]);
                }
        of_method[m].seconds += clock_seconds() - begun;
    }
    bits_csr_free(&a);
}

static bool print_table(const struct tally *of_method)
{
    struct tally sum = {0};
    puts("method\tcombinations\tequal\trefused alike\tdifferent\tseconds");
    for (vks_method m = 0; m < VKS_METHOD_COUNT_; m++) {
        const struct tally *t = &of_method[m];
        printf("%s\t%u\t%u\t%u\t%u\t%.1f\n", vks_method_name(m), t->all, t->equal, t->refused,
               t->all - t->equal - t->refused, t->seconds);
        sum.all += t->all;
        sum.equal += t->equal;
        sum.refused += t->refused;
        sum.seconds += t->seconds;
    }
    printf("%u combinations, %u equal, %u refused alike, %.0f s\n", sum.all, sum.equal, sum.refused,
           sum.seconds);
    return sum.all == sum.equal + sum.refused;
}

/* Returns false on wrong usage. */
static bool parse(int argc, char **argv, struct settings *set)
{
    static const struct option options[] = {{"times", required_argument, NULL, 't'},
                                            {"every", required_argument, NULL, 'e'},
                                            {"only", required_argument, NULL, 'o'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;)
        if (o == 't')
            set->times = (uint32_t)strtoul(optarg, NULL, 10);
        else if (o == 'e')
            set->every = (uint32_t)strtoul(optarg, NULL, 10);
        else if (o == 'o')
            set->only = optarg;
        else if (o == 'h') {
            fputs(help, stdout);
            exit(0);
        } else
            return false;
    set->device = optind + 1 == argc ? argv[optind] : NULL;
    return set->device && set->times && set->times <= 64 && set->every;
}

int main(int argc, char **argv)
{
    struct settings set = {.only = "", .times = 1, .every = 1};
    struct tally of_method[VKS_METHOD_COUNT_] = {{0}};
    struct sides s;
    uint32_t number = 0;
    if (!parse(argc, argv, &set)) {
        fputs("bench_method_bits: wrong usage; --help tells more\n", stderr);
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    open_side(&s, HOST, "host");
    open_side(&s, DEVICE, set.device);
    for (uint32_t i = 0; i < SYSTEMS; i++)
        run_system(&s, &set, i, &number, of_method);
    close_sides(&s);
    return print_table(of_method) ? 0 : 1;
}
