#include "solvers/auto/learn.h"

#include <math.h>

/* Products allowed in addition, so that cheap solves are not limited. */
static const double few_products = 64;
/* Assumed iterations per halving of the residual, for a good preconditioner that has not been tried. */
static const double assumed_rate = 0.3;
/* Halvings below which a strategy gained nothing. */
static const double least_gain = 0.5;

/* Binary logarithm, linear between powers of two: it is exact, whereas logarithms of libraries differ. */
static double halvings(double from, double to)
{
    int of_from, of_to;
    double a = frexp(fmax(from, 1e-300), &of_from), b = frexp(fmax(to, 1e-300), &of_to);
    return of_from - of_to + 2 * (a - b);
}

/* Records the iterations per halving with each preconditioner. */
static void take_rates(struct experience *e, const vks_solve_report *r)
{
    double before = r->initial_residual;
    for (const vks_attempt *a = r->attempt; a < r->attempt + r->attempts; a++) {
        double *rate = a->precond == VKS_PRECOND_JACOBI ? &e->diagonal : &e->chosen;
        if (a->method == r->method && a->iterations && isfinite(a->true_residual)) {
            *rate = a->iterations / fmax(halvings(before, a->true_residual), least_gain);
            before = fmin(before, a->true_residual);
        }
    }
}

static void take_experience(struct facts *f, const vks_solve_report *r, double target)
{
    struct experience *e = &f->experience;
    take_rates(e, r);
    double other = e->chosen > 0 ? e->chosen : assumed_rate, needed = halvings(r->initial_residual, target);
    e->last = needed * (e->diagonal * iteration_time(f, VKS_PRECOND_JACOBI) -
                        other * iteration_time(f, e->kind ? e->kind : VKS_PRECOND_AMG));
    e->saved += e->last;
    bool did_alone = r->attempts == 1 && r->precond == VKS_PRECOND_JACOBI,
         was_chosen = !e->is_blind && (e->alone || isfinite(f->signs.positive));
    e->alone = did_alone && was_chosen ? r->iterations : 0;
    e->is_made |= r->precond != VKS_PRECOND_JACOBI;
}

void experience_forget_values(struct experience *e)
{
    e->saved = e->last;
    e->is_made = false;
}

static double products_of(const vks_solve_report *r)
{
    double products = 0;
    for (uint32_t k = 0; k < r->attempts; k++)
        products += r->attempt[k].products;
    return products;
}

void strategies_learn(struct strategies *l, const vks_solve_report *r, double target)
{
    double products = products_of(r);
    bool converged = r->reason == VKS_REASON_CONVERGED;
    if (r->reason == VKS_REASON_CANCELLED || products == 0 || l->at == l->count)
        return;
    if (converged && strategies_choose_precond(l))
        take_experience(&l->facts, r, target);
    if (!l->is_learned)
        l->learned_products = few_products + 2 * products;
    bool by_experience = strategy_of(l)->when >= WHEN_BEYOND_FACTS;
    strategies_forget(l);
    l->is_learned = converged && !by_experience && l->at != strategies_find(l, 0);
}
