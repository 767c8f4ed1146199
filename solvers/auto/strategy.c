#include "solvers/auto/strategy.h"

#include <assert.h>

/* Rows of CG share a set-up. The diagonal is tried first if inspecting A, or the set-up of multigrid, costs
 * more than some iterations; and last, after the others have failed. */
enum { WHEN_CG = WHEN_SYMMETRIC | WHEN_POSITIVE };

/* The strategies of docs/methods/auto.md: their order and budgets. */
const struct strategy all_strategies[] = {
    {.method = VKS_METHOD_DIRECT, .when = WHEN_FACTORS_FIRST},
    {.method = VKS_METHOD_CG,
     .when = WHEN_CG | WHEN_TRIED_FIRST,
     .keeps_asked = true,
     .yields = true,
     .patience = 2,
     .precond = {.kind = VKS_PRECOND_JACOBI}},
    {.method = VKS_METHOD_CG,
     .when = WHEN_CG | WHEN_CHOSEN,
     .shares_setup = true,
     .keeps_asked = true,
     .is_optional = true,
     .precond = {.kind = VKS_PRECOND_BLOCK_JACOBI}},
    {.method = VKS_METHOD_CG,
     .when = WHEN_CG | WHEN_CHOSEN,
     .shares_setup = true,
     .is_optional = true,
     .iterations = 128,
     .precond = {.kind = VKS_PRECOND_AMG, .in_f32 = 1}},
    {.method = VKS_METHOD_CG,
     .when = WHEN_CG | WHEN_NO_EARLY_FACTORS,
     .shares_setup = true,
     .keeps_asked = true,
     .precond = {.kind = VKS_PRECOND_JACOBI}},
    {.method = VKS_METHOD_MINRES,
     .when = WHEN_SYMMETRIC | WHEN_NOT_POSITIVE | WHEN_EARLY_IS_OPEN,
     .yields = true,
     .products = 500,
     .scaling = VKS_SCALING_RUIZ,
     .precond = {.kind = VKS_PRECOND_ROW_SUM}},
    {.method = VKS_METHOD_IDR,
     .when = WHEN_NOT_SYMMETRIC | WHEN_ON_GPU,
     .products = 200,
     .precond = {.kind = VKS_PRECOND_JACOBI}},
    {.method = VKS_METHOD_IDR,
     .when = WHEN_NOT_SYMMETRIC | WHEN_ON_HOST | WHEN_TRIED_BESIDE_FACTORS,
     .is_early = true,
     .products = 96,
     .scaling = VKS_SCALING_NONE,
     .precond = {.kind = VKS_PRECOND_JACOBI}},
    {.method = VKS_METHOD_IDR,
     .when = WHEN_NOT_SYMMETRIC | WHEN_ON_HOST | WHEN_TRIED_BESIDE_FACTORS,
     .yields = true,
     .products = 200,
     .scaling = VKS_SCALING_NONE,
     .precond = {.kind = VKS_PRECOND_ILUT, .fill = 5, .drop = 1e-2, .rows = VKS_ALL_ROWS}},
    {.method = VKS_METHOD_DIRECT, .when = WHEN_FACTORS_EARLY},
    {.method = VKS_METHOD_CG, .when = WHEN_CG | WHEN_FACTORS_EARLY, .precond = {.kind = VKS_PRECOND_JACOBI}},
    {.method = VKS_METHOD_MINRES,
     .when = WHEN_SYMMETRIC | WHEN_SINGULAR,
     .products = 20000,
     .scaling = VKS_SCALING_RUIZ,
     .precond = {.kind = VKS_PRECOND_ROW_SUM}},
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
     .when = WHEN_NOT_SYMMETRIC | WHEN_POSITIVE | WHEN_MOSTLY_NONPOSITIVE,
     .products = 300,
     .scaling = VKS_SCALING_NONE,
     .precond = {.kind = VKS_PRECOND_AMG, .in_f32 = 1}},
    {.method = VKS_METHOD_GMRES,
     .when = WHEN_ON_HOST,
     .products = 300,
     .restart = 50,
     .precond = {.kind = VKS_PRECOND_ILUT, .fill = 20, .drop = 1e-4, .rows = VKS_ALL_ROWS}},
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
    {.method = VKS_METHOD_DIRECT, .when = WHEN_FACTORS_LATE},
    {.method = VKS_METHOD_GMRES,
     .when = WHEN_ON_GPU,
     .products = 300,
     .restart = 50,
     .scaling = VKS_SCALING_MATCH,
     .precond = {.kind = VKS_PRECOND_ILUT, .fill = 20, .drop = 1e-4, .rows = VKS_ALL_ROWS}},
    {.method = VKS_METHOD_GMRES,
     .when = WHEN_ON_HOST | WHEN_STRONG,
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
const uint32_t strategy_count = sizeof all_strategies / sizeof *all_strategies;

enum { SHARED = 3 /* rows of CG that share the set-up of the first */ };
_Static_assert(sizeof all_strategies / sizeof *all_strategies - SHARED <= VKS_LARGEST_ATTEMPTS,
               "vks_plan and vks_solve_report have a place for each set-up");

static bool takes_null_space(vks_method method)
{
    const struct method *m = method_of(&(struct equation){0}, &(vks_solve_options){.method = method});
    return method_takes_null_space(m);
}

const struct strategy *strategies_of_cg(uint32_t *count)
{
    const struct strategy *first = all_strategies;
    while (first->method != VKS_METHOD_CG)
        first++;
    for (*count = 1; first[*count].shares_setup;)
        ++*count;
    return first;
}

unsigned strategies_conditions(const struct strategies *l)
{
    unsigned holds = facts_conditions(&l->facts);
    if (l->is_indefinite)
        holds = (holds & ~(unsigned)WHEN_POSITIVE) | WHEN_NOT_POSITIVE;
    return holds | (l->has_singular_factors ? WHEN_SINGULAR : 0);
}

void strategies_forget(struct strategies *l)
{
    l->is_indefinite = l->has_singular_factors = false;
}

/* Whether a row applies if the conditions in `more` hold in addition to the facts'. */
static bool applies_with(const struct strategies *l, uint32_t row, unsigned more)
{
    const struct strategy *r = &l->row[row];
    char why[200];
    unsigned holds = strategies_conditions(l) | more;
    if (r->when & WHEN_TRIED_FIRST && first_budget(&l->facts, why, sizeof why) > 0)
        holds |= WHEN_TRIED_FIRST;
    if (r->when & WHEN_CHOSEN && l->has_inspected &&
        precond_choose(&l->facts, why, sizeof why).precond == r->precond.kind)
        holds |= WHEN_CHOSEN;
    return !(r->when & ~holds) && (!l->is_singular || takes_null_space(r->method));
}

bool strategy_applies(const struct strategies *l, uint32_t row)
{
    return applies_with(l, row, 0);
}

uint32_t strategies_find(const struct strategies *l, uint32_t from)
{
    while (from < l->count && !strategy_applies(l, from))
        from++;
    return from;
}

uint32_t strategies_group(const struct strategies *l, uint32_t row)
{
    assert(row < l->count);
    while (l->row[row].shares_setup)
        row--;
    return row;
}

uint32_t strategies_group_end(const struct strategies *l, uint32_t row)
{
    do
        row++;
    while (row < l->count && l->row[row].shares_setup);
    return row;
}

uint32_t strategies_first_setup(const struct strategies *l)
{
    return strategies_group(l, strategies_find(l, 0));
}

uint32_t strategies_next_precond(const struct strategies *l)
{
    if (l->is_learned && l->has_stale_facts) /* the list may begin with another set-up */
        return l->count;
    uint32_t next = strategies_find(l, l->is_learned ? 0 : l->at + 1);
    bool shares = next < l->count && strategies_group(l, next) == strategies_group(l, l->at);
    return shares ? next : l->count;
}

uint32_t strategies_next_setup(const struct strategies *l)
{
    return strategies_find(l, l->is_learned ? 0 : strategies_group_end(l, l->at));
}

vks_status strategies_refresh_facts(struct strategies *l, const vks_matrix *A)
{
    if (l->has_stale_facts)
        TRY(facts_find(A, &l->facts));
    l->has_stale_facts = false;
    return VKS_OK;
}

uint32_t strategies_to_promise(const struct strategies *l)
{
    uint32_t end = strategies_next_setup(l), begin = l->is_learned ? 0 : strategies_group_end(l, l->at);
    unsigned open = facts_open_conditions(&l->facts);
    for (uint32_t row = begin; open && row < end; row++)
        if (l->row[row].when & open && applies_with(l, row, open))
            return row;
    return l->count;
}

vks_solve_options strategy_options(const struct strategies *l, const vks_solve_options *asked)
{
    const struct strategy *row = strategy_of(l);
    vks_solve_options o = *asked;
    o.method = row->method;
    o.any_device = o.no_direct = 0; /* options of the list only */
    o.scaling = row->scaling == VKS_SCALING_MATCH && l->facts.unmatched ? VKS_SCALING_RUIZ : row->scaling;
    o.restart = row->restart;
    o.iterate_in_f32 = o.iterate_in_f32 && vks_method_refines(row->method); /* elimination is in f64 */
    if (!strategies_choose_precond(l))
        o.precond_options = row->precond.kind ? &row->precond : NULL;
    return o;
}

vks_precond_options strategy_precond(const struct strategies *l, const vks_precond_options *asked)
{
    const struct strategy *row = strategy_of(l);
    vks_precond_options o = row->precond.kind ? row->precond : *asked;
    if (row->keeps_asked)
        o.in_f32 = asked->in_f32;
    return o;
}
