/* Rehearsal of a solve: the same method and preconditioner, on a sample of A. */
#include "solvers/solve/rehearse.h"
#include "abi/abi.h"
#include "report/clock.h"
#include "shaders/solver/together.h"
#include "solvers/report_text.h"
#include "solvers/solve/solve.h"
#include "sparse/rehearse.h"

#include <stdlib.h>

struct rehearsed {
    struct sample sample;
    vks_solve_options options;
    struct nested_options nested;
    const atomic_bool *ended;
    double until;
};

/* A tolerance that the first iterations meet, so that the steps after the last one are rehearsed, too. */
static const double near = 0.5;
/* Limit of iterations, whether or not they meet the tolerance. */
enum { REHEARSED_ITERATIONS = 20 };
/* Seconds of a rehearsal. Pipelines not reached by then are made on first use. */
static const double longest = 2;

/* Whether the solve chooses its preconditioner. If so, the preconditioner of each row of CG is rehearsed. */
static bool leaves_choice(const vks_solve_options *o)
{
    bool by_kind = !o->precond_options || o->precond_options->kind == VKS_PRECOND_AUTO;
    return o->method == VKS_METHOD_AUTO || (o->method == VKS_METHOD_CG && by_kind && !o->precond);
}

static int is_over(void *user, const vks_progress *progress)
{
    const struct rehearsed *r = user;
    (void)progress;
    return atomic_load(r->ended) || clock_seconds() > r->until;
}

/* Ignores failures: recordings made before a failure stay known. */
static void solve_sample(const struct rehearsed *r, vks_matrix *A, vks_vector *b, vks_vector *x)
{
    const vks_solve_options *asked = &r->options;
    vks_solve_report report;
    uint32_t rows = 0;
    const struct strategy *row = strategies_of_cg(&rows);
    (void)solve_run(&(struct equation){A, b, x, false}, asked, &report);
    for (uint32_t i = 0; leaves_choice(asked) && i < rows; i++) {
        vks_solve_options o = *asked;
        o.method = row[i].method;
        o.precond_options = &row[i].precond;
        o.no_direct = 0;
        if (vks_vector_fill(x, 0))
            return;
        (void)solve_run(&(struct equation){A, b, x, false}, &o, &report);
    }
}

static void solve_on(const struct rehearsed *r, vks_context *c, vks_matrix *A)
{
    vks_precision p = vector_precision(r->sample.precision);
    vks_vector *b = NULL, *x = NULL;
    if (!vks_vector_create(c, r->sample.n, p, &b) && !vks_vector_create(c, r->sample.n, p, &x) &&
        !vks_vector_fill(b, 1) && !vks_vector_fill(x, 0))
        solve_sample(r, A, b, x);
    vks_vector_destroy(x);
    vks_vector_destroy(b);
}

/* Large systems do not iterate in one dispatch (method/cg_fused.c). */
static void resemble_size(struct device *stand_in, uint32_t rows)
{
    if (rows > TOGETHER_MOST_ROWS)
        stand_in->info.polls = 0;
}

static void play(void *of, struct device *stand_in, const atomic_bool *ended, struct message *m)
{
    struct rehearsed *r = of;
    vks_context *c = NULL;
    vks_matrix *A = NULL;
    r->ended = ended;
    r->until = clock_seconds() + longest;
    if (stand_in && !context_of(m, stand_in, &c) && !sample_matrix(&r->sample, c, &A)) {
        resemble_size(stand_in, r->sample.whole);
        solve_on(r, c, A);
    }
    vks_matrix_destroy(A);
    vks_context_destroy(c);
    sample_free(&r->sample);
    free(r);
}

/* Leaves out everything that belongs to the caller: arrays, functions, partners. */
static void take_options(struct rehearsed *r, const vks_solve_options *o)
{
    r->options = (vks_solve_options){.method = o->method,
                                     .precond = o->precond,
                                     .weight = o->weight,
                                     .rtol = near,
                                     .max_iterations = REHEARSED_ITERATIONS,
                                     .zero_guess = o->zero_guess,
                                     .iterate_in_f32 = o->iterate_in_f32,
                                     .singular = o->singular && !o->null_space,
                                     .scaling = o->scaling,
                                     .restart = o->restart,
                                     .norm = o->norm,
                                     .no_direct = o->method == VKS_METHOD_AUTO,
                                     .progress = is_over,
                                     .user = r};
    r->options.precond_options = precond_copy_options(&r->nested, o->precond_options);
    for (uint32_t i = 0; i < VKS_LARGEST_NESTING; i++) {
        vks_amg_options *amg = &r->nested.of[i].amg;
        amg->dimensions = amg->vectors = 0;
        amg->coordinates = amg->near_null = NULL;
        r->nested.of[i].progress = NULL;
    }
}

/* Whether a solve of a sample takes little work, and has no partners or shared preconditioner. */
static bool is_light(const vks_solve_options *o)
{
    const vks_precond_options *p = o->precond_options;
    bool is =
        !solves_at_once(o->method) && !o->partners && !o->shared_precond && o->precond != VKS_PRECOND_DENSE;
    for (uint32_t depth = 0; p && depth < VKS_LARGEST_NESTING; depth++, p = p->inner)
        is &= p->kind != VKS_PRECOND_DENSE;
    return is && !p; /* the options have not been checked */
}

/* Key of everything that selects kernels; never 0. The options have passed is_light. */
static uint64_t key_of(const vks_matrix *A, const vks_solve_options *o)
{
    uint64_t key = 64 * (2 + (uint64_t)o->method) + o->precond;
    for (const vks_precond_options *p = o->precond_options; p; p = p->inner)
        key = 64 * key + 2 * (uint64_t)p->kind + (p->in_f32 != 0);
    return 1024 * key + 32 * (uint64_t)(o->iterate_in_f32 != 0) + (uint64_t)A->storage.format +
           ((uint64_t)A->precision << 60);
}

static void start(struct device *d, uint64_t key, struct rehearsed *r, const vks_solve_options *o)
{
    take_options(r, o);
    rehearsal_start(d, key, &(struct script){play, r});
}

void rehearse_solve(const vks_matrix *A, const vks_solve_options *o)
{
    struct device *d = A->context->device;
    uint64_t key = is_light(o) ? key_of(A, o) : 0;
    struct rehearsed *r = key && rehearsal_is_due(d, key) ? calloc(1, sizeof *r) : NULL;
    if (r && sample_take(A, &r->sample))
        start(d, key, r, o);
    else
        free(r);
}

void rehearse_all(vks_context *c, const struct host_csr *a, const vks_matrix_options *of_matrix,
                  const vks_solve_options *o)
{
    uint64_t key = rehearsal_of_format(of_matrix);
    struct rehearsed *r = is_light(o) && rehearsal_is_due(c->device, key) ? calloc(1, sizeof *r) : NULL;
    if (r && sample_take_host(a, of_matrix, &r->sample))
        start(c->device, key, r, o);
    else
        free(r);
}
