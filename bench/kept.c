/* bench_kept: compares a solver that is kept over the steps of a sequence and chooses its method with solvers
 * whose method is named, as a table of tab-separated values. */
#include "command/shared/preconds.h"
#include "device/context.h"
#include "support/sequence.h"
#include "support/sequence_main.h"
#include "vksolve/vksolve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: bench_kept [OPTION...] SEQUENCE...\n"
    "\n"
    "Solves the steps of each sequence by a solver that chooses, and by others that are given a method by\n"
    "name, in turn. SEQUENCE is one of bench_sequence, or\n"
    "  columns2d:SIZE, columns3d:SIZE   the grids of Poisson's equation, another b in each step\n"
    "  newton2d:SIZE, newton3d:SIZE     coefficients that change by some per cent\n"
    "  convection2d:SIZE                the same, and not symmetric\n"
    "\n"
    "  --device DEVICE   host, gpu, an index or part of a name (default: auto)\n"
    "  --steps N         2 or more (default: 20)\n"
    "  --rtol R          the tolerance (default: 1e-8)\n"
    "  --warm            steps begin at the x of the step before\n"
    "  --help\n"
    "\n"
    "choice: auto, or cg with a preconditioner that it chooses. f32: iterations in f32. chosen: solves of\n"
    "more than one attempt. Milliseconds are sums of set-up and solve over all steps; ratio is that of the\n"
    "times of the choice and of the best by name, and later the same without the first step.\n";

/* How to solve; the automatic choices come first. */
struct way {
    const char *method, *precond; /* "": chosen */
    bool is_symmetric, is_choice;
};
static const struct way ways[] = {
    {"auto", "", false, true},       {"cg", "", true, true},
    {"cg", "jacobi", true, false},   {"cg", "amg/f32", true, false},
    {"idr", "jacobi", false, false}, {"idr", "amg/f32", false, false},
    {"idr", "ilut", false, false},   {"idr", "fsai(steps=8,add=4)", false, false},
};
enum { WAYS = sizeof ways / sizeof *ways };

struct kept {
    struct precond_words words;
    vks_matrix *A;
    vks_solver *solver;
    vks_vector *x;
    vks_attempt last;
    uint32_t iterations, chosen;
    double first, later; /* seconds */
    bool failed;
};

struct run {
    vks_context *c;
    struct sequence q;
    vks_vector *b;
    double *solution;
    struct kept kept[WAYS];
    const struct sequence_settings *set;
    bool f32, is_symmetric;
};

static vks_method method_of(const char *name)
{
    vks_method k = 0;
    while (k < VKS_METHOD_COUNT_ && strcmp(vks_method_name(k), name) != 0)
        k++;
    return k;
}

static bool takes_part(const struct run *r, uint32_t k)
{
    return r->is_symmetric ? k < 4 : !ways[k].is_symmetric;
}

static vks_status begin(struct run *r, uint32_t k)
{
    const struct host_csr *a = &r->q.a;
    struct kept *t = &r->kept[k];
    vks_solve_options o = {.method = method_of(ways[k].method),
                           .rtol = r->set->rtol,
                           .zero_guess = !r->set->warm,
                           .iterate_in_f32 = r->f32};
    vks_status s = vks_matrix_from_csr(r->c, a->rows, a->cols, a->row, a->col, a->val, NULL, &t->A);
    if (!s && ways[k].precond[0]) {
        s = preconds_read(&r->c->message, ways[k].precond, &t->words);
        o.precond_options = t->words.options;
    }
    if (!s)
        s = vks_vector_create(r->c, a->rows, VKS_F64, &t->x);
    return s ? s : vks_solver_create(t->A, &o, &t->solver);
}

static vks_status step(struct run *r, uint32_t k, uint32_t i)
{
    struct kept *t = &r->kept[k];
    vks_solve_report report;
    vks_status s = !i                  ? begin(r, k)
                   : r->q.keeps_values ? VKS_OK
                                       : vks_matrix_set_values(t->A, VKS_F64, r->q.a.val);
    if (!s)
        s = vks_solver_solve(t->solver, r->b, t->x, &report);
    if (s)
        return s;
    *(i ? &t->later : &t->first) += report.seconds_setup + report.seconds_solve;
    t->iterations += report.iterations;
    t->chosen += report.attempts > 1;
    t->failed |= report.reason != VKS_REASON_CONVERGED;
    t->last = report.attempts ? report.attempt[report.attempts - 1]
                              : (vks_attempt){.method = report.method, .precond = report.precond};
    return k ? VKS_OK : vks_vector_read(t->x, 0, r->q.a.rows, VKS_F64, r->solution);
}

/* All ways solve in turn in each step. */
static vks_status run(struct run *r)
{
    vks_status s = VKS_OK;
    for (uint32_t i = 0; !s && i < r->set->steps; i++) {
        s = sequence_step(&r->c->message, &r->q, i, r->solution);
        if (!s && !i)
            s = vks_vector_create(r->c, r->q.a.rows, VKS_F64, &r->b);
        if (!s)
            s = vks_vector_write(r->b, 0, r->q.a.rows, VKS_F64, r->q.b);
        for (uint32_t k = 0; !s && k < WAYS; k++)
            if (takes_part(r, k))
                s = step(r, k, i);
    }
    return s;
}

static uint32_t best_of(const struct run *r)
{
    uint32_t best = WAYS;
    for (uint32_t k = 0; k < WAYS; k++) {
        const struct kept *t = &r->kept[k], *than = &r->kept[best];
        if (!ways[k].is_choice && takes_part(r, k) && !t->failed &&
            (best == WAYS || t->first + t->later < than->first + than->later))
            best = k;
    }
    return best;
}

static void print(const struct run *r, const char *device, const char *what)
{
    uint32_t best = best_of(r);
    const struct kept *b = &r->kept[best];
    for (uint32_t k = 0; k < WAYS; k++) {
        const struct kept *t = &r->kept[k];
        if (!ways[k].is_choice || !takes_part(r, k) || best == WAYS)
            continue;
        printf("%s\t%s\t%u\t%u\t%s\t%s\t%u\t%s %s\t%u\t%.1f\t%s %s\t%u\t%.1f\t%.2f\t%.2f\t%s\n", device, what,
               r->q.a.rows, r->set->steps, ways[k].method, r->f32 ? "f32" : "f64", t->chosen,
               vks_method_name(t->last.method), vks_precond_name(t->last.precond), t->iterations,
               1e3 * (t->first + t->later), ways[best].method, ways[best].precond, b->iterations,
               1e3 * (b->first + b->later), (t->first + t->later) / (b->first + b->later),
               t->later / b->later, t->failed ? "FAILED" : "");
        fflush(stdout);
    }
}

/* Returns false after reporting a failure. */
static bool measure(const struct sequence_settings *set, const char *what, int f32)
{
    struct message m = {0};
    vks_device_info info;
    vks_context_options o = {.device = set->device, .message = m.text, .message_size = sizeof m.text};
    struct run r = {.set = set, .f32 = f32, .is_symmetric = strncmp(what, "convection", 10) != 0};
    vks_status s = sequence_open(&m, what, set->steps, &r.q);
    if (!s)
        s = vks_context_create(&o, &r.c);
    if (!s)
        s = vks_context_device(r.c, &info);
    r.solution = calloc(sequence_rows(&r.q) + 1, sizeof *r.solution);
    if (!s)
        s = r.solution ? run(&r) : fail_memory(&r.c->message, "a solution", 8 * (uint64_t)r.q.a.rows);
    if (s)
        fprintf(stderr, "bench_kept: %s: %s\n", what, r.c ? vks_context_message(r.c) : m.text);
    else
        print(&r, info.name, what);
    for (uint32_t k = 0; k < WAYS; k++) {
        vks_solver_destroy(r.kept[k].solver);
        vks_matrix_destroy(r.kept[k].A);
        vks_vector_destroy(r.kept[k].x);
    }
    vks_vector_destroy(r.b);
    vks_context_destroy(r.c);
    sequence_free(&r.q);
    free(r.solution);
    return !s;
}

int main(int argc, char **argv)
{
    static const struct sequence_bench kept = {
        .help = help,
        .head =
            "device\tsequence\tn\tsteps\tchoice\tin\tchosen\tlast\titerations\tms\tbest\tbest_iterations\t"
            "best_ms\tratio\tlater\tfailed",
        .own = 'w',
        .defaults = {.steps = 20, .rtol = 1e-8},
        .measure = measure};
    return sequence_main(argc, argv, &kept);
}
