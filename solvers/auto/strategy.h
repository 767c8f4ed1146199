/* The strategies of a solve: a method with a preconditioner and a budget each, tried one after the other,
 * each from the best x so far. VKS_METHOD_AUTO has the whole list of strategy.c, VKS_PRECOND_AUTO of CG its
 * rows of CG, and any other solve a list of one row. */
#ifndef VKS_SOLVERS_AUTO_STRATEGY_H
#define VKS_SOLVERS_AUTO_STRATEGY_H

#include "solvers/auto/precond_policy.h"
#include "solvers/method.h"

/* Conditions beside those of facts.h, on the preconditioner. */
enum {
    WHEN_TRIED_FIRST = WHEN_BEYOND_FACTS, /* it gets iterations before A is looked at */
    WHEN_CHOSEN = 2 * WHEN_BEYOND_FACTS   /* precond_choose names it */
};

struct strategy {
    vks_method method;
    unsigned when;     /* all of these conditions: WHEN_... */
    bool shares_setup; /* with the row before: only the preconditioner is another one */
    bool keeps_asked;  /* the precision of its preconditioner is the one that was asked for */
    bool is_optional;  /* if the preconditioner cannot be made, or its iterations fail or leave a worse x, the
                          next row of this set-up continues from the x before; and its budget is extended as
                          long as it lowers the residual faster than the row before */
    bool
        yields; /* to sparse factors, once its iterations have taken as long as those, or as their analysis */
    bool is_early;     /* if it spends its budget, that says little of A: no proof is looked for */
    uint32_t products; /* its budget of products with A, where an application of the preconditioner counts by
                          its entries; 0: it has none */
    uint32_t iterations; /* its budget of iterations; 0: it has none */
    uint32_t patience;   /* the budget is extended by its part 1 / patience if, at the mean rate, that reaches
                            the tolerance; 0: it is not */
    vks_scaling scaling;
    uint32_t restart; /* of gmres */
    vks_precond_options precond;
};

/* The list of a solve, and the position in it. */
struct strategies {
    const struct strategy *row;
    uint32_t count;
    uint32_t at; /* the row under way; count: none is left */
    bool chooses_method;
    bool is_singular; /* A has a null space, which is kept out */
    bool is_learned;  /* the row under way converged in the solve before, and precedes the list in this one */
    double learned_products;   /* its budget then, in place of its own */
    bool has_looked;           /* in this solve, for the choice of a preconditioner */
    bool is_indefinite;        /* A is, as conjugate gradients with the diagonal have found in this solve */
    bool has_singular_factors; /* sparse factors of this solve were singular */
    bool has_stale_facts;      /* A has new values since they were found */
    struct facts facts;
};

/* The whole list; and its first rows of CG, which share a set-up. */
const struct strategy *strategies_of_cg(uint32_t *count);
extern const struct strategy all_strategies[];
extern const uint32_t strategy_count;

/* The conditions that hold, by the facts and what the attempts of the list have found. */
unsigned strategies_conditions(const struct strategies *l);
/* Forgets what they have found, before the list starts again. */
void strategies_forget(struct strategies *l);
/* Whether a row applies to A, as far as facts are known. */
bool strategy_applies(const struct strategies *l, uint32_t row);
/* The first row from `from` on that applies; count: none. */
uint32_t strategies_find(const struct strategies *l, uint32_t from);
/* The first of the rows that share the set-up of a row, and the one after the last of them. */
uint32_t strategies_group(const struct strategies *l, uint32_t row);
uint32_t strategies_group_end(const struct strategies *l, uint32_t row);
/* The first row of the set-up with which the list begins. */
uint32_t strategies_first_setup(const struct strategies *l);
/* The row with the next preconditioner of the same set-up, and the row with the next set-up; count: none. The
 * first row of the list follows one that is learned. */
uint32_t strategies_next_precond(const struct strategies *l);
uint32_t strategies_next_setup(const struct strategies *l);
/* Finds the facts again if A has new values since. A row that is learned needs none. */
vks_status strategies_refresh_facts(struct strategies *l, const vks_matrix *A);
/* The row before that which would apply if factors were promised; count: none. */
uint32_t strategies_to_promise(const struct strategies *l);

static inline const struct strategy *strategy_of(const struct strategies *l)
{
    return &l->row[l->at];
}

/* Whether another row of the same set-up takes over if the row under way fails. */
static inline bool strategies_may_fail(const struct strategies *l)
{
    return strategy_of(l)->is_optional || l->is_learned;
}

/* Whether there is a choice of preconditioners for the set-up under way. */
static inline bool strategies_choose_precond(const struct strategies *l)
{
    return strategies_group_end(l, l->at) - strategies_group(l, l->at) > 1;
}

/* The options of a set-up for the row under way, from those that were asked for. The row must outlive them.
 */
vks_solve_options strategy_options(const struct strategies *l, const vks_solve_options *asked);
/* Its preconditioner; that of the options of the set-up, if it names none. */
vks_precond_options strategy_precond(const struct strategies *l, const vks_precond_options *asked);

#endif
