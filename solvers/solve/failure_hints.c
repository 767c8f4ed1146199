/* Hints for a failed or slow solve whose cause shows in A: its rows sum to zero, or it has several unknowns
 * per node. Only such solves search for the cause, so other solves pay nothing. */
#include "solvers/residual/projection.h"
#include "solvers/solve/solve.h"

#include <stdio.h>

/* Mean factors by which a multigrid iteration multiplies the residual: below `fast` multigrid suits A; `slow`
 * takes some 200 iterations to 1e-8. */
static const double fast = 0.5, slow = 0.9;
enum { ENOUGH = 25 /* iterations needed to assess the rate */ };

/* Largest |A times ones| that rounding of the entries explains, relative to the entries. */
static const double rounding_of_sums[REAL_PRECISIONS] = {0x1p-18, 0x1p-40};

/* Whether A times ones is zero, up to rounding; a merely nearly singular A has a solution. False if memory or
 * doubles are lacking. */
static bool sum_rows(const struct solve *s)
{
    struct projection z;
    vks_status status =
        projection_open(&z, s->equation.A, vec_of(s->equation.x), &(vks_solve_options){.singular = 1});
    IF_OK(status, projection_check(&z, true));
    bool is_zero = !status && z.deviation <= rounding_of_sums[magnitude_precision(z.x.precision)];
    projection_close(&z);
    if (status)
        s->it.message->text[0] = 0;
    return is_zero;
}

/* Keeps the result until A has new values, so later solves allocate nothing. */
static bool rows_sum_to_zero(struct solve *s)
{
    struct hints *d = &s->hints;
    if (!d->has_sums)
        d->sums_to_zero = sum_rows(s);
    d->has_sums = true;
    return d->sums_to_zero;
}

/* Whether the constants may be the whole null space of A. */
static bool constants_may_be_all(struct solve *s)
{
    const struct parts *p = &s->parts;
    if (p->are_known && p->count)
        return p->count == 1 && p->part->rows_vanish && p->part->end == s->equation.A->csr.n;
    return rows_sum_to_zero(s);
}

/* Whether the current row uses multigrid, perhaps nested, without node information. */
static bool may_miss_nodes(const struct solve *s)
{
    const vks_precond_options asked = method_precond(s->it.method, &s->options),
                              row = strategy_precond(&s->strategies, &asked), *o = &row;
    while (o && o->kind != VKS_PRECOND_AMG)
        o = o->inner;
    return o && !s->options.shared_precond && o->amg.block <= 1 && !o->amg.dimensions && !o->amg.vectors;
}

/* Returns the size of the natural blocks of A, if all are equal and no larger than a node may be; else 1. */
static uint32_t find_nodes(const struct solve *s)
{
    const vks_precond_options blocks = {.kind = VKS_PRECOND_BLOCK_JACOBI};
    const vks_matrix *A = s->it.krylov.A;
    struct diagnosis f = {0};
    struct precond *M = NULL;
    uint32_t rows = 1;
    vks_status status = csr_acquire(A);
    IF_OK(status, precond_create(A, s->it.krylov.r.precision, PRECOND_FOR_ANY, &blocks, &f, &M));
    if (!status && M->largest_block <= VKS_LARGEST_NODE && (uint64_t)M->blocks * M->largest_block == A->csr.n)
        rows = M->largest_block;
    precond_destroy(M);
    csr_release(A);
    if (status)
        s->it.message->text[0] = 0;
    return rows;
}

static void hint_at_nodes(struct solve *s)
{
    vks_solve_report *r = s->it.column.report;
    if (!may_miss_nodes(s))
        return;
    if (!s->hints.rows_of_node)
        s->hints.rows_of_node = find_nodes(s);
    r->rows_of_node = s->hints.rows_of_node;
    if (r->rows_of_node <= 1)
        return;
    snprintf(r->warning, sizeof r->warning,
             "A seems to have %u unknowns at each node, which the options of multigrid do not set",
             r->rows_of_node);
    add_hint(s, VKS_HINT_NODES);
}

static bool has_failed(const vks_solve_report *r)
{
    return r->reason == VKS_REASON_NOT_POSITIVE_DEFINITE || r->reason == VKS_REASON_STAGNATED ||
           r->reason == VKS_REASON_DIVERGED;
}

/* Whether a declared null space could help: A is taken to be symmetric, and none was declared. */
static bool may_be_singular(const struct solve *s)
{
    bool is_symmetric =
        s->it.method->use == PRECOND_FOR_POSITIVE ||
        (s->strategies.chooses_method && facts_conditions(&s->strategies.facts) & WHEN_SYMMETRIC);
    return is_symmetric && !s->projection;
}

/* Tests the most informative cause first; its warning replaces those of its consequences. */
void add_failure_hints(struct solve *s, uint32_t iterations, double mean)
{
    vks_solve_report *r = s->it.column.report;
    bool enough = !lacks_solution(s) && r->hierarchy.levels && iterations >= ENOUGH &&
                  r->reason != VKS_REASON_CANCELLED;
    bool suspect =
        has_failed(r) || lacks_solution(s) || (enough && mean > slow && r->reason != VKS_REASON_CONVERGED);
    if (may_be_singular(s) && suspect && constants_may_be_all(s)) {
        snprintf(r->warning, sizeof r->warning,
                 "the rows of A sum to zero, or nearly so: is A singular, as in pure Neumann problems?");
        add_hint(s, VKS_HINT_NULL_SPACE);
        return;
    }
    if (enough && mean > fast && !r->warning[0])
        hint_at_nodes(s);
    if (enough && mean > slow && !r->warning[0])
        snprintf(r->warning, sizeof r->warning,
                 "multigrid is unsuitable for this matrix: an iteration multiplied the residual by %.3f on "
                 "average",
                 mean);
}
