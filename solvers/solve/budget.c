/* Iteration budgets of the rows. */
#include "solvers/auto/times.h"
#include "solvers/solve/solve.h"

#include <math.h>

/* Fewest iterations before a row yields to factors, and the patience of such a row. */
static const double least = 16;
enum { PATIENCE_BEFORE_FACTORS = 2 };

double products_of_iteration(const struct solve *s)
{
    const struct method *method = s->it.method;
    const struct precond *M = s->it.krylov.M;
    const vks_matrix *A = s->it.krylov.A;
    double each = method && method->products ? method->products : 1;
    bool counts = M && A && A->csr.entries > 0;
    return each * (1 + (counts ? (double)M->entries / A->csr.entries : 0));
}

/* Converts a budget of products to iterations, within the caller's limit. */
static uint32_t budget_of_products(const struct solve *s, double products)
{
    double iterations = fmin(fmax(1, products / products_of_iteration(s)), NO_BUDGET);
    uint32_t most = s->asked.max_iterations;
    return (uint32_t)(most ? fmin(iterations, most - s->it.column.report->iterations) : iterations);
}

/* Whether sparse factors follow the current row once it has taken as long as they would. */
static bool yields(const struct solve *s)
{
    const struct strategies *l = &s->strategies;
    return l->chooses_method && strategy_of(l)->yields && facts_conditions(&l->facts) & WHEN_EARLY_IS_OPEN;
}

/* Iterations that take as long as sparse factors or, before their cost is known, as their analysis;
 * NO_BUDGET: there will be no early factors. */
static uint32_t budget_beside_factors(const struct solve *s)
{
    const struct facts *f = &s->strategies.facts;
    double time = f->is_promised ? time_of_factors(f) : time_of_analysis(f);
    double iterations = time / (times_of(f).jacobi * products_of_iteration(s));
    return yields(s) ? (uint32_t)fmin(fmax(iterations, least), NO_BUDGET) : NO_BUDGET;
}

void set_budget(struct solve *s)
{
    const struct strategies *l = &s->strategies;
    const struct strategy *row = strategy_of(l);
    const struct facts *f = &l->facts;
    struct row_progress *p = &s->row;
    char why[200];
    bool is_modelled = strategies_choose_precond(l);
    bool precedes_choice = row->when & WHEN_TRIED_FIRST;
    p->budget = row->iterations ? row->iterations : NO_BUDGET;
    p->time =
        is_modelled && (l->has_inspected || !precedes_choice) ? iteration_time(f, row->precond.kind) : 0;
    if (row->products)
        p->budget = budget_of_products(s, row->products);
    if (precedes_choice)
        p->budget =
            l->has_inspected ? precond_choose(f, why, sizeof why).jacobi : first_budget(f, why, sizeof why);
    uint32_t beside = budget_beside_factors(s);
    if (beside < p->budget)
        p->budget = beside;
    if (l->is_learned)
        p->budget = budget_of_products(s, l->learned_products);
}

uint32_t limit_of_row(const struct solve *s)
{
    const struct row_progress *p = &s->row;
    uint32_t most = s->options.max_iterations, left = most - p->iterations;
    if (left <= p->budget || left - p->budget <= p->beyond)
        return most;
    return p->iterations + p->budget + p->beyond;
}

static double power(double x, uint32_t exponent)
{
    double product = 1;
    for (uint32_t i = 0; i < exponent; i++)
        product *= x;
    return product;
}

/* Patience of the current row; 0: none. */
static uint32_t patience_of(const struct solve *s)
{
    const struct strategy *row = strategy_of(&s->strategies);
    bool yields_on_host = row->yields && s->strategies.facts.on_host;
    return row->patience ? row->patience : yields_on_host ? PATIENCE_BEFORE_FACTORS : 0;
}

/* Whether, for patience p, a further 1 / p of the iterations so far would reach the tolerance, if each
 * multiplied the residual by the mean factor so far. Avoids logarithms: their rounding differs by library. */
static bool ends_soon(const struct solve *s)
{
    const struct column *c = &s->it.column;
    uint32_t patience = patience_of(s);
    double now = c->measure / s->row.measure, target = c->target / s->row.measure;
    return patience && !s->row.beyond && c->end.control.state == STATE_LIMIT &&
           power(now, patience + 1) <= power(target, patience);
}

/* Whether an optional row lowers the residual faster than the previous row, in modelled time. If there was no
 * previous row: whether each budget gains a digit. Times are compared in eighths: power() takes integers. */
static bool does_better(const struct solve *s)
{
    const struct row_progress *row = &s->row;
    uint32_t iterations = s->it.column.report->iterations - row->iterations;
    double measure = s->it.column.measure, factor = measure / row->measure;
    bool is_optional = strategy_of(&s->strategies)->is_optional;
    bool is_outdone = facts_conditions(&s->strategies.facts) & WHEN_FACTORS_EARLY;
    if (!is_optional || is_outdone || !(measure < row->measure))
        return false;
    if (!(row->before.time > 0))
        return factor <= power(0.1, iterations / row->budget);
    double eighths = 8 * row->time * iterations / row->before.time;
    return power(factor, 8) <= power(row->before.factor, eighths < 8000 ? (uint32_t)eighths : 8000);
}

uint32_t budget_extension(const struct solve *s)
{
    uint32_t patience = patience_of(s);
    if (s->strategies.is_learned)
        return 0;
    if (ends_soon(s))
        return s->row.budget / patience;
    return does_better(s) ? s->row.beyond + s->row.budget : 0;
}

/* Iterations beside factors continue if twice the budget, at their mean rate, would reach the tolerance:
 * conjugate gradients often accelerate. */
bool deserves_budget(const struct solve *s)
{
    const struct column *c = &s->it.column;
    uint32_t iterations = c->report->iterations - s->row.iterations;
    if (!strategy_applies(&s->strategies, s->strategies.at))
        return false;
    return !yields(s) ||
           power(c->measure / s->row.measure, 2 * (s->row.budget / (iterations + !iterations))) <=
               c->target / s->row.measure;
}

bool inspects_after(const struct solve *s)
{
    const struct strategies *l = &s->strategies;
    return strategy_of(l)->when & WHEN_TRIED_FIRST && !l->has_inspected;
}
