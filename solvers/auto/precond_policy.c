#include "solvers/auto/precond_policy.h"
#include "solvers/auto/times.h"

#include <math.h>
#include <stdio.h>

/* Iterations that cost as much as an inspection of A. */
enum { INSPECT_AFTER = 32 };
/* Shares: of positive entries, up to which multigrid suits equations of one unknown a node, and above which
 * it never does; of rows with a dominant diagonal; of the diagonal that natural blocks must explain. */
static const double few_positive = 0.2, many_positive = 0.5, most_dominated = 0.9, least_explained = 0.25;

static const struct precond_choice only_jacobi = {VKS_PRECOND_JACOBI, NO_BUDGET};

/* Whether the chosen preconditioner, multigrid unless experience names another, is used at once, without a
 * budget for the diagonal first. */
static bool pays_at_once(const struct facts *f, const struct times *t)
{
    const struct experience *e = &f->experience;

    if (e->diagonal > 0)
        return e->kind != VKS_PRECOND_JACOBI &&
               e->saved > (e->is_made || e->kind == VKS_PRECOND_BLOCK_JACOBI ? 0 : t->setup);
    return 2 * cbrt(f->rows) * t->jacobi > t->setup + EXPECTED_ITERATIONS * t->multigrid;
}

uint32_t first_budget(const struct facts *f, char *why, size_t size)
{
    struct times t = times_of(f);
    uint32_t before = f->experience.alone;
    bool is_small = f->rows <= FEW_ROWS, is_known = before > INSPECT_AFTER / 2 && before < NO_BUDGET / 2;
    if (is_small)
        snprintf(why, size, "%u rows are too few for multigrid", f->rows);
    else if (is_known)
        snprintf(why, size, "jacobi, which took %u iterations before", before);
    else
        snprintf(why, size, "jacobi for %d iterations, which cost as much as an analysis of A",
                 INSPECT_AFTER);
    return is_small ? NO_BUDGET : pays_at_once(f, &t) ? 0 : is_known ? 2 * before : INSPECT_AFTER;
}

static struct precond_choice choose_blocks(const struct facts *f, char *why, size_t size)
{
    bool many = f->signs.positive > many_positive;
    if (f->share >= least_explained) {
        snprintf(why, size,
                 "positive off-diagonals are %.2f of the sum, as in vector problems, and natural blocks "
                 "explain %.2f of the diagonal",
                 f->signs.positive, f->share);
        return (struct precond_choice){VKS_PRECOND_BLOCK_JACOBI, INSPECT_AFTER};
    }
    snprintf(why, size, "positive off-diagonals are %.2f of the sum%s", f->signs.positive,
             many ? ": multigrid is unsuitable for it"
                  : ", as in vector problems: multigrid would have to know their nodes");
    return only_jacobi;
}

/* Whether sparse factors are expected to take less time than multigrid. */
static bool factors_are_faster(const struct facts *f)
{
    struct times t = times_of(f);
    return facts_conditions(f) & WHEN_FACTORS_EARLY &&
           time_of_factors(f) < t.setup + EXPECTED_ITERATIONS * t.multigrid;
}

/* Chooses multigrid, at once or after as many iterations as its set-up costs. */
static struct precond_choice choose_multigrid(const struct facts *f, char *why, size_t size)
{
    struct times t = times_of(f);
    uint32_t budget = (uint32_t)fmax(INSPECT_AFTER, fmin(ceil(t.setup / t.jacobi), NO_BUDGET));
    if (pays_at_once(f, &t))
        snprintf(why, size,
                 "multigrid at once: jacobi is expected to take longer than its set-up and %d iterations",
                 EXPECTED_ITERATIONS);
    else
        snprintf(why, size,
                 "multigrid may pay after %u iterations of jacobi, which cost as much as its set-up", budget);
    return (struct precond_choice){VKS_PRECOND_AMG, budget};
}

struct precond_choice precond_choose(const struct facts *f, char *why, size_t size)
{
    const struct signs *s = &f->signs;
    if (s->diagonal)
        snprintf(why, size, "there are no off-diagonal entries");
    else if (!isfinite(s->positive))
        snprintf(why, size, "the sums of its entries are not finite, or memory ran out");
    else if (s->dominated >= most_dominated)
        snprintf(why, size, "the diagonal dominates in %.0f %% of the rows: multigrid would gain nothing",
                 100 * s->dominated);
    else if (s->positive > few_positive)
        return choose_blocks(f, why, size);
    else if (factors_are_faster(f))
        snprintf(why, size, "sparse factors are expected to take less time than multigrid");
    else
        return choose_multigrid(f, why, size);
    return only_jacobi;
}

bool chooses_blocks(const struct facts *f)
{
    char why[200];
    return precond_choose(f, why, sizeof why).precond == VKS_PRECOND_BLOCK_JACOBI;
}

bool share_matters(const struct facts *f)
{
    struct facts at_best = *f;
    at_best.share = 1;
    return chooses_blocks(&at_best);
}

double iteration_time(const struct facts *f, vks_precond_kind precond)
{
    struct times t = times_of(f);
    return precond == VKS_PRECOND_AMG ? t.multigrid : t.jacobi;
}
