/* bench_sequence: compares one solver over steps with new values whose multigrid is rebuilt in each step with
 * one that keeps its levels, as a table of tab-separated values. */
#include "support/sequence.h"
#include "command/shared/preconds.h"
#include "device/context.h"
#include "support/sequence_main.h"
#include "vksolve/vksolve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: bench_sequence [OPTION...] heat:RINGS|jump3d:SIZE ...\n"
    "\n"
    "Solves the steps of each sequence by conjugate gradients with multigrid, twice: with all levels made\n"
    "again in each step (full), and with those that are kept (keep). heat is examples/heat.c, from the\n"
    "temperatures of the step before; in jump3d the contrast of the coefficients grows from 1 to 10^6, and\n"
    "each step begins at 0.\n"
    "\n"
    "  --device DEVICE   host, gpu, an index or part of a name (default: auto)\n"
    "  --precond NAME    as vksolve's --precond takes it (default: amg/f32)\n"
    "  --steps N         2 or more (default: 50)\n"
    "  --rtol R          the tolerance (default: 1e-8)\n"
    "  --help\n"
    "\n"
    "Times are in milliseconds. setup_first is of the first step, setup and solve are sums over all steps.\n"
    "setups: full set-ups. arrays: those that later steps allocated on the device; kept_arrays: in steps\n"
    "without a full set-up.\n";

struct sums {
    uint32_t rows, iterations, first, last, setups, arrays, kept_arrays;
    double setup_first, setup, solve;
};

/* Counts the arrays of a device. */
static struct counted {
    const struct device_ops *plain;
    struct device_ops ops;
    uint32_t arrays;
} counted;

static vks_status allocate(struct device *d, enum memory_kind kind, uint64_t bytes, const char *what,
                           struct memory *out)
{
    counted.arrays++;
    return counted.plain->allocate(d, kind, bytes, what, out);
}

static void count_arrays(struct device *d)
{
    counted = (struct counted){.plain = d->ops, .ops = *d->ops};
    counted.ops.allocate = allocate;
    d->ops = &counted.ops;
}

struct run {
    vks_context *c;
    struct sequence *s;
    vks_matrix *A;
    vks_vector *b, *x;
    vks_solver *solver;
    double *solution;
    double levels_made; /* setup seconds of the finest level, which change with another full setup */
};

static void add_step(struct run *r, const vks_solve_report *report, uint32_t arrays, uint32_t i,
                     struct sums *sums)
{
    double made = report->hierarchy.level[0].seconds;
    bool full = made != r->levels_made;
    r->levels_made = made;
    sums->setups += full;
    sums->setup += report->seconds_setup;
    sums->solve += report->seconds_solve;
    sums->iterations += report->iterations;
    sums->last = report->iterations;
    if (!i) {
        sums->first = report->iterations;
        sums->setup_first = report->seconds_setup;
        return;
    }
    sums->arrays += arrays;
    sums->kept_arrays += full ? 0 : arrays;
}

static vks_status begin(struct run *r, const vks_solve_options *o)
{
    static const vks_matrix_options plain = {.storage.coding = VKS_CODED_NEVER}; /* codes would be rebuilt */
    const struct host_csr *a = &r->s->a;
    vks_status s = vks_matrix_from_csr(r->c, a->rows, a->cols, a->row, a->col, a->val, &plain, &r->A);
    return s ? s : vks_solver_create(r->A, o, &r->solver);
}

static vks_status step(struct run *r, const vks_solve_options *o, uint32_t i, struct sums *sums)
{
    uint32_t n = sums->rows;
    vks_solve_report report;
    vks_status s = sequence_step(&r->c->message, r->s, i, r->solution);
    uint32_t before = counted.arrays;
    if (!s)
        s = i ? vks_matrix_set_values(r->A, VKS_F64, r->s->a.val) : begin(r, o);
    if (!s)
        s = vks_vector_write(r->b, 0, n, VKS_F64, r->s->b);
    if (!s)
        s = vks_solver_solve(r->solver, r->b, r->x, &report);
    if (s)
        return s;
    add_step(r, &report, counted.arrays - before, i, sums);
    if (report.reason != VKS_REASON_CONVERGED)
        fprintf(stderr, "bench_sequence: step %u: %s\n", i + 1, vks_reason_name(report.reason));
    return vks_vector_read(r->x, 0, n, VKS_F64, r->solution);
}

static vks_status run(vks_context *c, const struct sequence_settings *set, const vks_precond_options *precond,
                      struct sequence *q, struct sums *sums)
{
    struct run r = {.c = c, .s = q};
    vks_solve_options o = {
        .precond_options = precond, .rtol = set->rtol, .zero_guess = q->kind != SEQUENCE_HEAT};
    *sums = (struct sums){.rows = sequence_rows(q)};
    r.solution = calloc(sums->rows, sizeof *r.solution);
    vks_status s = r.solution ? VKS_OK : fail_memory(&c->message, "a solution", 8 * (uint64_t)sums->rows);
    if (!s)
        s = vks_vector_create(c, sums->rows, VKS_F64, &r.b);
    if (!s)
        s = vks_vector_create(c, sums->rows, VKS_F64, &r.x);
    for (uint32_t i = 0; !s && i < set->steps; i++)
        s = step(&r, &o, i, sums);
    vks_solver_destroy(r.solver);
    vks_matrix_destroy(r.A);
    vks_vector_destroy(r.b);
    vks_vector_destroy(r.x);
    free(r.solution);
    return s;
}

static void print(const char *device, const char *what, const struct sequence_settings *set, bool keeps,
                  const struct sums *s)
{
    printf("%s\t%s\t%u\t%u\t%s\t%s\t%u\t%u\t%u\t%u\t%.3f\t%.3f\t%.3f\t%u\t%u\n", device, what, s->rows,
           set->steps, set->precond, keeps ? "keep" : "full", s->iterations, s->first, s->last, s->setups,
           1e3 * s->setup_first, 1e3 * s->setup, 1e3 * s->solve, s->arrays, s->kept_arrays);
    fflush(stdout);
}

/* Prints one line. Returns false after reporting a failure. */
static bool measure(const struct sequence_settings *set, const char *what, int keeps)
{
    struct message m = {0};
    struct precond_words words;
    struct sequence q = {0};
    struct sums sums;
    vks_context *c = NULL;
    vks_device_info info;
    vks_context_options o = {.device = set->device, .message = m.text, .message_size = sizeof m.text};
    vks_status s = preconds_read(&m, set->precond, &words);
    for (uint32_t i = 0; !s && i < words.count; i++)
        if (words.options[i].kind == VKS_PRECOND_AMG)
            words.options[i].amg.refresh = keeps ? VKS_AMG_KEEP : VKS_AMG_FULL;
    if (!s)
        s = sequence_open(&m, what, set->steps, &q);
    if (!s)
        s = vks_context_create(&o, &c);
    if (!s)
        s = vks_context_device(c, &info);
    if (!s) {
        count_arrays(c->device);
        s = run(c, set, words.options, &q, &sums);
        c->device->ops = counted.plain;
    }
    if (s)
        fprintf(stderr, "bench_sequence: %s: %s\n", what, c ? vks_context_message(c) : m.text);
    else
        print(info.name, what, set, keeps, &sums);
    vks_context_destroy(c);
    sequence_free(&q);
    return !s;
}

int main(int argc, char **argv)
{
    static const struct sequence_bench sequences = {
        .help = help,
        .head = "device\tsequence\tn\tsteps\tprecond\trefresh\titerations\tfirst\tlast\t"
                "setups\tsetup_first\tsetup\tsolve\tarrays\tkept_arrays",
        .own = 'p',
        .defaults = {.precond = "amg/f32", .steps = 50, .rtol = 1e-8},
        .measure = measure};
    return sequence_main(argc, argv, &sequences);
}
