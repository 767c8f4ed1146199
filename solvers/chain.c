#include "solvers/chain.h"
#include "operator/operator.h"
#include "solvers/options.h"
#include "solvers/signs.h"
#include "solvers/solve.h"

#include <math.h>
#include <stdio.h>

/* Up to this share of positive entries multigrid takes a matrix that is not symmetric. */
static const double few_positive = 0.1;

/* The attempts of docs/methods/auto.md: their order and budgets. */
const struct chain_row chain_rows[] = {
    {.method = VKS_METHOD_CG, .when = WHEN_SYMMETRIC | WHEN_POSITIVE},
    {.method = VKS_METHOD_MINRES,
     .when = WHEN_SYMMETRIC | WHEN_ZERO,
     .products = 2000,
     .scaling = VKS_SCALING_RUIZ,
     .precond = {.kind = VKS_PRECOND_SADDLE}},
    {.method = VKS_METHOD_MINRES,
     .when = WHEN_SYMMETRIC,
     .products = 2000,
     .scaling = VKS_SCALING_RUIZ,
     .precond = {.kind = VKS_PRECOND_ROW_SUM}},
    {.method = VKS_METHOD_IDR,
     .when = WHEN_NOT_SYMMETRIC,
     .products = 200,
     .precond = {.kind = VKS_PRECOND_JACOBI}},
    {.method = VKS_METHOD_IDR,
     .when = WHEN_NOT_SYMMETRIC | WHEN_POSITIVE | WHEN_FLOW,
     .products = 300,
     .scaling = VKS_SCALING_NONE,
     .precond = {.kind = VKS_PRECOND_AMG, .in_f32 = 1}},
    {.method = VKS_METHOD_IDR,
     .products = 300,
     .scaling = VKS_SCALING_MATCH,
     .precond = {.kind = VKS_PRECOND_FSAI, .steps = 8, .add = 4}},
    {.method = VKS_METHOD_IDR, .products = 300, .precond = {.kind = VKS_PRECOND_ILUT}},
    {.method = VKS_METHOD_BICGSTAB,
     .when = WHEN_NOT_SYMMETRIC | WHEN_STRONG,
     .products = 600,
     .scaling = VKS_SCALING_RUIZ,
     .precond = {.kind = VKS_PRECOND_JACOBI}},
    {.method = VKS_METHOD_GMRES,
     .products = 300,
     .restart = 50,
     .scaling = VKS_SCALING_MATCH,
     .precond = {.kind = VKS_PRECOND_ILUT, .fill = 20, .drop = 1e-4, .rows = VKS_ALL_ROWS}},
    {.method = VKS_METHOD_IDR,
     .products = 300,
     .scaling = VKS_SCALING_RUIZ,
     .precond = {.kind = VKS_PRECOND_ILUT, .fill = 50, .drop = 1e-5, .rows = VKS_ALL_ROWS}},
    {.method = VKS_METHOD_IDR,
     .when = WHEN_WEAK,
     .products = 300,
     .scaling = VKS_SCALING_MATCH,
     .precond = {.kind = VKS_PRECOND_ILUT, .fill = 50, .drop = 1e-5, .rows = VKS_ALL_ROWS}},
    {.method = VKS_METHOD_GAUSS_JORDAN, .when = WHEN_SMALL},
    {.method = VKS_METHOD_MINRES,
     .when = WHEN_SYMMETRIC,
     .products = 5000,
     .scaling = VKS_SCALING_RUIZ,
     .precond = {.kind = VKS_PRECOND_ROW_SUM}},
    {.method = VKS_METHOD_LSMR, .products = 40000},
};
const uint32_t chain_count = sizeof chain_rows / sizeof *chain_rows;

static bool is_positive(const struct symmetry *s)
{
    return s->zero == UINT32_MAX && s->negative == UINT32_MAX;
}

/* Without memory for its sums the share stays unknown. */
static vks_status look_at_signs(const vks_matrix *A, double *positive)
{
    struct signs signs;
    vks_context *c = A->context;
    vks_status status = signs_measure(c->device, A, real_precision(precision_of(A->precision)), &signs);
    if (!status)
        *positive = signs.positive;
    if (!attempts_lack_memory(status))
        return status;
    c->message.text[0] = 0;
    return VKS_OK;
}

vks_status chain_look(const vks_matrix *A, struct chain_facts *out)
{
    *out = (struct chain_facts){.square = A->csr.n == A->csr.cols, .rows = A->csr.n, .positive = NAN};
    vks_status status = out->square ? symmetry_measure(A, &out->symmetry) : VKS_OK;
    bool may_flow = out->symmetry.unequal != UINT32_MAX && is_positive(&out->symmetry);
    return status || !out->square || !may_flow ? status : look_at_signs(A, &out->positive);
}

vks_status chain_look_closer(const vks_matrix *A, bool ranks, struct chain_facts *out)
{
    if (out->has_look || !out->square)
        return VKS_OK;
    vks_status status = scaled_look(A, ranks, &out->look);
    out->has_look = !status;
    if (!attempts_lack_memory(status))
        return status;
    A->context->message.text[0] = 0;
    return VKS_OK;
}

unsigned chain_traits(const struct chain_facts *f)
{
    const struct symmetry *s = &f->symmetry;
    return (s->unequal == UINT32_MAX ? WHEN_SYMMETRIC : WHEN_NOT_SYMMETRIC) |
           (is_positive(s) ? WHEN_POSITIVE : 0) | (f->positive <= few_positive ? WHEN_FLOW : 0) |
           (s->zero != UINT32_MAX ? WHEN_ZERO : 0) | (f->rows <= CHAIN_SMALL ? WHEN_SMALL : WHEN_LARGE) |
           (!f->has_look   ? 0
            : f->look.weak ? WHEN_WEAK
                           : WHEN_STRONG);
}

uint32_t chain_find(const struct chain_facts *f, uint32_t from)
{
    unsigned traits = chain_traits(f);
    while (from < chain_count && chain_rows[from].when & ~traits)
        from++;
    return from;
}

/* After the last row, where the solve began behind the first one, those before it. */
uint32_t chain_following(const struct chain *c)
{
    bool passed_over = c->began != c->first && c->at >= c->began;
    uint32_t next = chain_find(&c->facts, c->at + 1);
    if (next == chain_count && passed_over)
        return c->first;
    return c->at < c->began && next == c->began ? chain_count : next;
}

void chain_tell(unsigned when, char *text, size_t size)
{
    static const struct {
        unsigned bit;
        const char *text;
    } words[] = {{WHEN_SYMMETRIC, "A is symmetric"},
                 {WHEN_NOT_SYMMETRIC, "A is not symmetric"},
                 {WHEN_POSITIVE, "its diagonal is positive"},
                 {WHEN_ZERO, "there are zeros on its diagonal"},
                 {WHEN_FLOW, "few other entries are positive"},
                 {WHEN_WEAK, "its diagonal is weak"},
                 {WHEN_STRONG, "its diagonal is strong"},
                 {WHEN_SMALL, "it has at most 4,096 rows"},
                 {WHEN_LARGE, "it has more than 4,096 rows"}};
    size_t at = 0;
    snprintf(text, size, "always");
    for (size_t k = 0; k < sizeof words / sizeof *words && at < size; k++)
        if (when & words[k].bit)
            at += (size_t)snprintf(text + at, size - at, "%s%s", at ? ", " : "", words[k].text);
}

bool chain_is_wanted(const struct equation *q, const vks_solve_options *o)
{
    const vks_precond_options *p = o->precond_options;
    bool by_default =
        !o->shared_precond && !o->block_size && !o->scaling && !o->restart && !(p ? p->kind : o->precond);
    bool is_square = q->A->csr.n == q->A->csr.cols; /* else there is lsmr alone */
    return is_square && o->method == VKS_METHOD_AUTO && !o->partners && by_default && !q->fixed_point &&
           !operator_of(q->A) && !o->singular && o->weight == 0;
}

vks_status chain_check(const vks_matrix *A, const vks_solve_options *o)
{
    vks_precond_options plain = {0};
    if (o->precond_options)
        plain = *o->precond_options;
    plain.kind = VKS_PRECOND_JACOBI;
    return precond_check(A, &plain);
}

vks_solve_options chain_options(const struct chain *c)
{
    const struct chain_row *row = &chain_rows[c->at];
    vks_solve_options o = c->asked;
    o.method = row->method;
    o.scaling = row->scaling == VKS_SCALING_MATCH && c->facts.unmatched ? VKS_SCALING_RUIZ : row->scaling;
    o.restart = row->restart;
    o.iterate_in_f32 = o.iterate_in_f32 && vks_method_refines(row->method); /* elimination is in f64 */
    if (row->method != VKS_METHOD_CG) /* whose preconditioner is chosen */
        o.precond_options = row->precond.kind ? &row->precond : NULL;
    return o;
}

/* Facts that hold until A has new values. */
static vks_status look(struct chain *c, const vks_matrix *given)
{
    const vks_matrix *A = chain_matrix(given);
    vks_status status = csr_acquire(A);
    if (!status)
        status = chain_look(A, &c->facts);
    if (!status && !(chain_traits(&c->facts) & WHEN_SYMMETRIC))
        status = chain_look_closer(A, false, &c->facts);
    csr_release(A);
    return status;
}

vks_status chain_begin(struct chain *c, const struct equation *q, const vks_solve_options *asked,
                       vks_solve_options *options)
{
    *c = (struct chain){.is = true, .asked = *asked};
    vks_status status = chain_check(q->A, asked);
    if (!status)
        status = look(c, q->A);
    if (status)
        return status;
    c->at = c->began = c->first = chain_find(&c->facts, 0);
    *options = chain_options(c);
    return VKS_OK;
}

vks_status chain_is_stale(struct solve *s, bool *stale)
{
    struct chain *c = &s->chain;
    vks_status status = look(c, s->equation.A);
    c->first = chain_find(&c->facts, 0);
    *stale = c->at != c->first;
    return status;
}
