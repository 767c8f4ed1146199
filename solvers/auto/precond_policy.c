#include "solvers/auto/precond_policy.h"

#include <math.h>
#include <stdio.h>

/* Microseconds on the GPU of the model, an H200 (docs/preconditioners/auto.md). Multigrid's are counted with
 * caution. */
static const double dispatch = 1.5, dispatch_with_caution = 5, bytes = 4.3e6, bytes_with_caution = 3.6e6;
/* An iteration with the diagonal: as measured over the model. */
static const double measured = 1.6;
/* A set-up: for each level but the last, for an entry of A, and for a row of the inverse. */
static const double level = 1800, entry = 6e-4, row_of_inverse = 4.5;
/* Rows of a level for one of the next, the entries of all levels with their transfers over those of A, and
 * the rows of all levels over those of A. */
static const double coarsening = 10, all_entries = 1.5, all_rows = 1.1;
/* A level is made coarser if it has more rows. */
static const double coarsest = 512;
/* An iteration: dispatches and vectors of conjugate gradients; of a level's cycle dispatches, products with
 * its matrix and vectors. */
enum { CG_DISPATCHES = 3, CG_VECTORS = 12, LEVEL_DISPATCHES = 6, LEVEL_PRODUCTS = 4, LEVEL_VECTORS = 21 };
/* Iterations with multigrid that are counted on. */
enum { EXPECTED = 15 };
/* Iterations that cost as much as a look at A. */
enum { LOOK_AFTER = 32 };
/* Shares: of positive entries, up to which multigrid suits equations of one unknown a node, and above which
 * it suits nothing; of rows whose diagonal dominates; of the diagonal that natural blocks have to explain. */
static const double few_positive = 0.2, many_positive = 0.5, most_dominated = 0.9, least_explained = 0.25;

static const struct precond_choice only_jacobi = {VKS_PRECOND_JACOBI, NO_BUDGET};

struct times {
    double jacobi, multigrid; /* of an iteration */
    double setup;             /* of multigrid */
};

static struct times model(const struct facts *f)
{
    double rows = f->rows, entries = f->entries, real = f->real_bytes, last = rows, levels = 0;
    while (last > coarsest) {
        last /= coarsening;
        levels++;
    }
    double moved = entries * (real + 4) + rows * (4 + CG_VECTORS * real);
    double cycle = all_entries * LEVEL_PRODUCTS * 8 * entries + all_rows * LEVEL_VECTORS * 4 * rows;
    double dispatches = CG_DISPATCHES + 3 + LEVEL_DISPATCHES * levels;
    return (struct times){.jacobi = measured * (CG_DISPATCHES * dispatch + moved / bytes),
                          .multigrid =
                              dispatches * dispatch_with_caution + (moved + cycle) / bytes_with_caution,
                          .setup = levels * level + entry * entries + row_of_inverse * last};
}

/* Whether the preconditioner that is to be chosen, multigrid unless more is known, comes without a budget of
 * the diagonal before it. */
static bool pays_at_once(const struct facts *f, const struct times *t)
{
    const struct experience *e = &f->experience;

    if (e->diagonal > 0)
        return e->kind != VKS_PRECOND_JACOBI &&
               e->saved > (e->is_made || e->kind == VKS_PRECOND_BLOCK_JACOBI ? 0 : t->setup);
    return 2 * cbrt(f->rows) * t->jacobi > t->setup + EXPECTED * t->multigrid;
}

uint32_t first_budget(const struct facts *f, char *why, size_t size)
{
    struct times t = model(f);
    bool is_small = f->rows <= FEW_ROWS;
    if (is_small)
        snprintf(why, size, "%u rows are too few for multigrid", f->rows);
    else
        snprintf(why, size, "jacobi for %d iterations, which cost as much as a look at A", LOOK_AFTER);
    return is_small ? NO_BUDGET : pays_at_once(f, &t) ? 0 : LOOK_AFTER;
}

static struct precond_choice choose_blocks(const struct facts *f, char *why, size_t size)
{
    bool many = f->signs.positive > many_positive;
    if (f->share >= least_explained) {
        snprintf(why, size,
                 "positive off-diagonals are %.2f of the sum, as in vector problems, and natural blocks "
                 "explain %.2f of the diagonal",
                 f->signs.positive, f->share);
        return (struct precond_choice){VKS_PRECOND_BLOCK_JACOBI, LOOK_AFTER};
    }
    snprintf(why, size, "positive off-diagonals are %.2f of the sum%s", f->signs.positive,
             many ? ": multigrid does not suit it"
                  : ", as in vector problems: multigrid would have to know their nodes");
    return only_jacobi;
}

/* Multigrid, at once or after as many iterations as its set-up costs. */
static struct precond_choice choose_multigrid(const struct facts *f, char *why, size_t size)
{
    struct times t = model(f);
    uint32_t budget = (uint32_t)fmax(LOOK_AFTER, fmin(ceil(t.setup / t.jacobi), NO_BUDGET));
    if (pays_at_once(f, &t))
        snprintf(why, size,
                 "multigrid at once: jacobi is expected to take longer than its set-up and %d iterations",
                 EXPECTED);
    else
        snprintf(why, size, "multigrid may pay after %u iterations of jacobi, which its set-up costs",
                 budget);
    return (struct precond_choice){VKS_PRECOND_AMG, budget};
}

struct precond_choice precond_choose(const struct facts *f, char *why, size_t size)
{
    const struct signs *s = &f->signs;
    if (s->diagonal)
        snprintf(why, size, "there are no entries beside the diagonal");
    else if (!isfinite(s->positive))
        snprintf(why, size, "the sums of its entries are not finite, or found no memory");
    else if (s->dominated >= most_dominated)
        snprintf(why, size, "the diagonal dominates in %.0f %% of the rows: multigrid would gain nothing",
                 100 * s->dominated);
    else if (s->positive > few_positive)
        return choose_blocks(f, why, size);
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
    struct times t = model(f);
    return precond == VKS_PRECOND_AMG ? t.multigrid : t.jacobi;
}
