/* Solves by every method: results must be the same everywhere, and CONVERGED must be true. */
#include "differ.h"
#include "findings.h"
#include "honest.h"
#include "solution.h"
#include "storages.h"

#include <stdio.h>

struct choice {
    vks_solve_options options;
    bool fixed_point;
    const struct storage *storage;
};

/* Lets multigrid work in f32 half of the time. */
static void choose_amg(struct random *r, const struct system *s, vks_solve_options *o)
{
    static const vks_precond_options in_f32 = {.kind = VKS_PRECOND_AMG, .in_f32 = 1};
    if (o->precond != VKS_PRECOND_AMG || s->precision == VKS_F32 || !one_in(r, 2))
        return;
    o->precond = VKS_PRECOND_AUTO;
    o->precond_options = &in_f32;
}

static void choose_cg(struct random *r, const struct system *s, vks_solve_options *o)
{
    static const uint32_t blocks[] = {0, 1, 3, 7, 32};
    o->method = VKS_METHOD_CG;
    o->precond = (vks_precond_kind)random_below(r, VKS_PRECOND_COUNT_);
    if (o->precond == VKS_PRECOND_ILUT) /* not symmetric */
        o->precond = VKS_PRECOND_JACOBI;
    if (o->precond == VKS_PRECOND_BLOCK_JACOBI)
        o->block_size = ONE_OF(r, blocks);
    o->iterate_in_f32 = s->precision != VKS_F32 && one_in(r, 4);
    choose_amg(r, s, o);
}

static void choose_jacobi(struct random *r, struct choice *c)
{
    static const double weights[] = {0, 0.5, VKS_WEIGHT_AUTO, 1.3};
    c->options.method = VKS_METHOD_JACOBI;
    c->fixed_point = one_in(r, 6);
    if (!c->fixed_point)
        c->options.weight = ONE_OF(r, weights);
}

static void choose_richardson(struct random *r, const struct system *s, vks_solve_options *o)
{
    static const double weights[] = {0, 0.5, 0.1, 1.3};
    o->method = VKS_METHOD_RICHARDSON;
    o->precond = (vks_precond_kind)random_below(r, VKS_PRECOND_COUNT_);
    o->weight = ONE_OF(r, weights);
    choose_amg(r, s, o);
}

static struct choice choose(struct random *r, const struct system *s)
{
    static const double rtol[] = {0, 0, 1e-12, 1e-3, 1e-15, 1e-17, 0.5, 1e-300, 2};
    static const double atol[] = {0, 0, 0, 1e-5, 1e-320, 1e10, 1e-200};
    static const uint32_t most[] = {3000, 3000, 3000, 1, 7, 64, 65, 1000};
    struct choice c = {.storage = &ONE_OF(r, storages)};
    vks_solve_options *o = &c.options;
    o->rtol = ONE_OF(r, rtol);
    o->atol = ONE_OF(r, atol);
    o->max_iterations = ONE_OF(r, most);
    o->zero_guess = one_in(r, 5);
    o->batch_seconds = one_in(r, 6) ? 1e-5 : 0;
    uint32_t method = random_below(r, 9);
    if (method <= 3)
        choose_cg(r, s, o);
    else if (method <= 5)
        choose_jacobi(r, &c);
    else if (method == 6)
        choose_richardson(r, s, o);
    else
        o->method = VKS_METHOD_GAUSS_JORDAN;
    o->singular = s->singular ? random_below(r, 4) != 0 : one_in(r, 20);
    return c;
}

static const char *describe(const struct system *s, const struct choice *c, char text[256])
{
    const vks_solve_options *o = &c->options;
    snprintf(text, 256, "%s%s, precond %s, %s, %s, n %u, precision %d%s, rtol %g, at most %u",
             c->fixed_point ? "fixed point by " : "", vks_method_name(o->method),
             o->precond_options ? "amg/f32" : vks_precond_name(o->precond), c->storage->name, s->kind,
             s->rows, s->precision, o->iterate_in_f32 ? ", in f32" : "", o->rtol, o->max_iterations);
    return text;
}

/* Bits are not compared if denormals may occur, or if sums have no fixed order. */
static bool bits_are_compared(const struct system *s, const struct choice *c, const struct place *at)
{
    bool in_f32 = c->options.iterate_in_f32 || c->options.precond_options;
    bool rough = s->rough || (in_f32 && s->kind[0] == 's');
    return c->storage->order != ORDER_ANY && !(rough && at->vulkan);
}

void differ_solves(const struct places *p, struct random *r)
{
    char how[256];
    OWNED_STRUCT(system) s = random_system(r);
    struct choice c = choose(r, &s);
    OWNED_STRUCT(solution) first = {0};
    describe(&s, &c, how);
    for (int i = 0; i < p->count; i++) {
        const struct place *at = &p->place[i];
        vks_status refused;
        vks_matrix *A = place_matrix(at, &s, &c.storage->options, &refused);
        if (!A)
            break;
        struct solution now = solve_at(at, &s, A, &c.options, c.fixed_point);
        counted.solves++;
        counted.converged += now.report.reason == VKS_REASON_CONVERGED;
        if (!now.status)
            check_report(&s, now.x, &c.options, c.fixed_point, &now.report, at->name);
        if (i > 0 && bits_are_compared(&s, &c, at))
            compare_solutions(&now, at->name, &first, p->place[0].name, s.cols, how);
        vks_matrix_destroy(A);
        if (i == 0)
            first = now;
        else
            solution_free(&now);
    }
}
