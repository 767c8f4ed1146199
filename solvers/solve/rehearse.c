/* A rehearsal of a row of the list: the same method and preconditioner, for a sample of A. */
#include "sparse/rehearse.h"
#include "abi/abi.h"
#include "solvers/solve/solve.h"

#include <stdlib.h>

struct rehearsed {
    struct sample sample;
    vks_solve_options options;
    struct nested_options nested;
};

/* A tolerance that the first iterations meet: the steps behind the last one are rehearsed, too. */
static const double near = 0.5;
/* Whether it meets that or not. */
enum { REHEARSED_ITERATIONS = 20 };

static vks_status solve_sample(const struct rehearsed *r, vks_context *c, vks_matrix *A)
{
    vks_precision p = vector_precision(r->sample.precision);
    vks_vector *b = NULL, *x = NULL;
    vks_solve_report report;
    vks_status s = vks_vector_create(c, r->sample.n, p, &b);
    if (!s)
        s = vks_vector_create(c, r->sample.n, p, &x);
    if (!s)
        s = vks_vector_fill(b, 1);
    if (!s)
        s = vks_vector_fill(x, 0);
    if (!s)
        s = vks_solve(A, b, x, &r->options, &report);
    vks_vector_destroy(x);
    vks_vector_destroy(b);
    return s;
}

static void play(void *of, struct device *stand_in, struct message *m)
{
    struct rehearsed *r = of;
    vks_context *c = NULL;
    vks_matrix *A = NULL;
    if (stand_in && !context_of(m, stand_in, &c) && !sample_matrix(&r->sample, c, &A))
        (void)solve_sample(r, c, A); /* what was recorded until a failure is known all the same */
    vks_matrix_destroy(A);
    vks_context_destroy(c);
    sample_free(&r->sample);
    free(r);
}

/* Everything that the caller lends is left out: arrays, functions, partners. */
static void take_options(struct rehearsed *r, const struct solve *s, const vks_precond_options *precond)
{
    const vks_solve_options *o = &s->options;
    r->options = (vks_solve_options){.method = o->method,
                                     .weight = o->weight,
                                     .rtol = near,
                                     .max_iterations = REHEARSED_ITERATIONS,
                                     .zero_guess = o->zero_guess,
                                     .iterate_in_f32 = o->iterate_in_f32,
                                     .singular = o->singular && !o->null_space,
                                     .scaling = o->scaling,
                                     .restart = o->restart,
                                     .norm = o->norm};
    r->options.precond_options = precond_copy_options(&r->nested, precond);
    for (uint32_t i = 0; i < VKS_LARGEST_NESTING; i++) {
        vks_amg_options *amg = &r->nested.of[i].amg;
        amg->dimensions = amg->vectors = 0;
        amg->coordinates = amg->near_null = NULL;
        r->nested.of[i].progress = NULL;
    }
}

/* Of what chooses kernels. */
static uint64_t key_of(const struct solve *s, const vks_precond_options *o)
{
    uint64_t key = 2 + s->options.method;
    for (; o; o = o->inner)
        key = 64 * key + 2 * (uint64_t)o->kind + (o->in_f32 != 0);
    return 1024 * key + 32 * (uint64_t)s->it.refinement.widens + (uint64_t)s->equation.A->storage.format +
           ((uint64_t)s->equation.A->precision << 60);
}

void rehearse_row(const struct solve *s, const vks_precond_options *precond)
{
    struct device *d = s->it.device;
    uint64_t key = key_of(s, precond);
    if (!s->holds || s->options.partners || !rehearsal_is_due(d, key))
        return;
    struct rehearsed *r = calloc(1, sizeof *r);
    if (!r || !sample_take(s->equation.A, &r->sample)) {
        free(r);
        return;
    }
    take_options(r, s, precond);
    rehearsal_start(d, key, &(struct script){play, r});
}
