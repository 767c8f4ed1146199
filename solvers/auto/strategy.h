/* Strategies of a solve: a method with a preconditioner and a budget each. They are tried in turn, each from
 * the best x so far. VKS_METHOD_AUTO uses the whole list of strategy.c, CG with VKS_PRECOND_AUTO the list's
 * CG rows, and any other solve a list of one row. */
#ifndef VKS_SOLVERS_AUTO_STRATEGY_H
#define VKS_SOLVERS_AUTO_STRATEGY_H

#include "solvers/auto/precond_policy.h"
#include "solvers/method.h"

/* Conditions on the preconditioner, in addition to those of facts.h. */
enum {
    WHEN_TRIED_FIRST = WHEN_BEYOND_FACTS, /* it runs before A is inspected */
    WHEN_CHOSEN = 2 * WHEN_BEYOND_FACTS   /* precond_choose selects it */
};

struct strategy {
    vks_method method;
    unsigned when;     /* WHEN_...: all must hold */
    bool shares_setup; /* with the previous row: only the preconditioner differs */
    bool keeps_asked;  /* its preconditioner has the precision that the caller asked for */
    bool is_optional;  /* if the preconditioner cannot be built, or its iterations fail or worsen x, the next
                          row of this set-up continues from the earlier x; its budget is extended as long as it
                          lowers the residual faster than the previous row */
    bool yields; /* to sparse factors, once its iterations have taken as long as the factors or their analysis
                  */
    bool is_early;     /* a spent budget shows little about A: no proof is attempted */
    uint32_t products; /* budget of products with A, in which applying the preconditioner counts in proportion
                          to its entries; 0: no budget */
    uint32_t iterations; /* budget of iterations; 0: no budget */
    uint32_t patience; /* the budget grows by the fraction 1 / patience if the tolerance would then be reached
                          at the mean rate; 0: never */
    vks_scaling scaling;
    uint32_t restart; /* of gmres */
    vks_precond_options precond;
};

/* The list of a solve, and the position in it. */
struct strategies {
    const struct strategy *row;
    uint32_t count;
    uint32_t at; /* current row; count: none is left */
    bool chooses_method;
    bool is_singular; /* A has a declared null space */
    bool is_learned;  /* the current row converged in the previous solve, and precedes the list in this one */
    double learned_products;   /* budget of the learned row, in place of its own */
    bool has_inspected;        /* A was inspected in this solve, to choose a preconditioner */
    bool is_indefinite;        /* conjugate gradients with the diagonal found A indefinite in this solve */
    bool has_singular_factors; /* sparse factors of this solve were singular */
    bool has_stale_facts;      /* A has new values since the facts were measured */
    struct facts facts;
};

/* The rows of CG, which share a set-up; the whole list. */
const struct strategy *strategies_of_cg(uint32_t *count);
extern const struct strategy all_strategies[];
extern const uint32_t strategy_count;

/* Conditions that hold, by the facts and by the outcome of earlier strategies. */
unsigned strategies_conditions(const struct strategies *l);
/* Clears these outcomes, before the list restarts. */
void strategies_forget(struct strategies *l);
/* Whether a row applies to A, by the known facts. */
bool strategy_applies(const struct strategies *l, uint32_t row);
/* First row, starting at `from`, that applies; count: none. */
uint32_t strategies_find(const struct strategies *l, uint32_t from);
/* First of the rows that share the set-up of `row`; one past the last of them. */
uint32_t strategies_group(const struct strategies *l, uint32_t row);
uint32_t strategies_group_end(const struct strategies *l, uint32_t row);
/* First row of the set-up with which the list begins. */
uint32_t strategies_first_setup(const struct strategies *l);
/* Row with the next preconditioner of the same set-up; row with the next set-up; count: none. A learned row
 * is followed by the first row of the list. */
uint32_t strategies_next_precond(const struct strategies *l);
uint32_t strategies_next_setup(const struct strategies *l);
/* Measures the facts again if A has new values. A learned row needs none. */
vks_status strategies_refresh_facts(struct strategies *l, const vks_matrix *A);
/* An earlier row that would apply if the cost of factors were known; count: none. */
uint32_t strategies_to_promise(const struct strategies *l);

static inline const struct strategy *strategy_of(const struct strategies *l)
{
    return &l->row[l->at];
}

/* Whether another row of the same set-up takes over if the current row fails. */
static inline bool strategies_may_fail(const struct strategies *l)
{
    return strategy_of(l)->is_optional || l->is_learned;
}

/* Whether the current set-up has a choice of preconditioners. */
static inline bool strategies_choose_precond(const struct strategies *l)
{
    return strategies_group_end(l, l->at) - strategies_group(l, l->at) > 1;
}

/* Options of a set-up for the current row, derived from `asked`. The row must outlive them. */
vks_solve_options strategy_options(const struct strategies *l, const vks_solve_options *asked);
/* Preconditioner of the current row, or `asked` if the row names none. */
vks_precond_options strategy_precond(const struct strategies *l, const vks_precond_options *asked);

#endif
