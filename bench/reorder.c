/* bench_reorder: the benefit of the reverse Cuthill-McKee order, as rows of a Markdown table: the bandwidth
 * and the mean |i - j| of a matrix before and after; the times to find the order and to permute; and a
 * product before and after. Products alternate, so that other load on the machine affects both. */
#include "entries/rcm.h"
#include "report/clock.h"
#include "support/measure.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: bench_reorder [OPTION...] MATRIX...\n"
    "\n"
    "MATRIX is a square Matrix Market file, or a model problem such as poisson2d:700.\n"
    "\n"
    "  --device DEVICE   host, gpu, an index or part of a name (default: host)\n"
    "  --products N      products with each matrix; prints the shortest (default: 200)\n"
    "  --shuffle         the unknowns in random order first\n"
    "  --help\n";

struct settings {
    const char *device;
    int products;
    bool shuffle;
};

/* A Fisher-Yates permutation, the same in every run. */
static void fill_random(uint32_t n, uint32_t *place)
{
    uint64_t state = 1;
    for (uint32_t i = 0; i < n; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        uint32_t j = (uint32_t)((state >> 33) % (i + 1));
        place[i] = place[j];
        place[j] = i;
    }
}

static vks_status shuffle(struct message *m, struct host_csr *a)
{
    struct host_csr moved;
    uint32_t *place = malloc(a->rows * sizeof *place + 1);
    if (!place)
        return fail_memory(m, "a random order", a->rows * sizeof *place);
    fill_random(a->rows, place);
    vks_status s = host_csr_permute(m, a, place, &moved);
    free(place);
    if (s)
        return s;
    host_csr_free(a);
    *a = moved;
    return s;
}

struct reordered {
    struct host_csr a;
    struct band before, after;
    double order_seconds, seconds; /* to find the order, and of a product with the permuted matrix */
};

static vks_status reorder(struct message *m, const struct host_csr *a, struct reordered *out)
{
    uint32_t *order = malloc(a->rows * sizeof *order + 1), *place = malloc(a->rows * sizeof *place + 1);
    double begun = clock_seconds();
    vks_status s =
        order && place ? rcm_order(m, a, order) : fail_memory(m, "an order", 2 * a->rows * sizeof *order);
    out->order_seconds = clock_seconds() - begun;
    if (!s) {
        rcm_invert(a->rows, order, place);
        s = host_csr_permute(m, a, place, &out->a);
        out->seconds = clock_seconds() - begun;
    }
    if (!s) {
        out->before = rcm_band(a, NULL);
        out->after = rcm_band(a, place);
    }
    free(order);
    free(place);
    return s;
}

/* The shortest time of each of the two products, which alternate. */
static vks_status time_products(const struct problem p[2], int products, double least[2])
{
    least[0] = least[1] = INFINITY;
    for (int k = 0; k < 2 * products; k++) {
        const struct problem *q = &p[k % 2];
        double begun = clock_seconds();
        vks_status s = vks_spmv(q->A, q->b, q->x);
        double seconds = clock_seconds() - begun;
        if (s)
            return s;
        least[k % 2] = fmin(least[k % 2], seconds);
    }
    return VKS_OK;
}

static uint32_t width(struct band b)
{
    return b.lower > b.upper ? b.lower : b.upper;
}

static vks_status measure(struct message *m, vks_context *c, const struct settings *set, const char *name)
{
    struct host_csr a;
    struct reordered r = {0};
    struct problem p[2] = {{0}};
    double least[2];
    vks_status s = problem_load(m, name, &a);
    if (!s && set->shuffle)
        s = shuffle(m, &a);
    if (!s)
        s = reorder(m, &a, &r);
    if (!s) {
        s = problem_create(c, &a, VKS_F64, VKS_FORMAT_AUTO, false, &p[0]);
        if (!s)
            s = problem_create(c, &r.a, VKS_F64, VKS_FORMAT_AUTO, false, &p[1]);
        if (!s)
            s = time_products(p, set->products, least);
        if (s)
            set_message(m, "%s", vks_context_message(c));
    }
    const char *slash = strrchr(name, '/');
    if (!s)
        printf("| %s%s | %u | %zu | %u | %u | %.1f | %.1f | %.1f | %.1f | %.0f | %.0f | %.2f |\n",
               slash ? slash + 1 : name, set->shuffle ? ", shuffled" : "", a.rows, host_csr_entries(&a),
               width(r.before), width(r.after), r.before.mean, r.after.mean, 1e3 * r.order_seconds,
               1e3 * r.seconds, 1e6 * least[0], 1e6 * least[1], least[0] / least[1]);
    problem_destroy(&p[0]);
    problem_destroy(&p[1]);
    host_csr_free(&r.a);
    host_csr_free(&a);
    return s;
}

static bool read_options(int argc, char **argv, struct settings *set)
{
    static const struct option options[] = {{"device", required_argument, NULL, 'd'},
                                            {"products", required_argument, NULL, 'p'},
                                            {"shuffle", no_argument, NULL, 's'},
                                            {"help", no_argument, NULL, 'h'},
                                            {0}};
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) >= 0;) {
        if (c == 'd')
            set->device = optarg;
        else if (c == 'p')
            set->products = atoi(optarg);
        else if (c == 's')
            set->shuffle = true;
        else
            return false;
    }
    return set->products > 0 && optind < argc;
}

int main(int argc, char **argv)
{
    struct settings set = {.device = "host", .products = 200};
    struct message m = {0};
    vks_context *c = NULL;
    if (!read_options(argc, argv, &set)) {
        fputs(help, stderr);
        return 1;
    }
    vks_context_options o = {.device = set.device, .message = m.text, .message_size = sizeof m.text};
    vks_status s = vks_context_create(&o, &c);
    if (!s)
        printf("| | rows | entries | bandwidth | after | mean \\|i - j\\| | after | order, ms | with P A "
               "P^T, ms | "
               "product, us | after | gain |\n|---|%s\n",
               "--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for (int i = optind; !s && i < argc; i++)
        s = measure(&m, c, &set, argv[i]);
    if (s)
        fprintf(stderr, "bench_reorder: %s\n", m.text);
    vks_context_destroy(c);
    return s ? 1 : 0;
}
