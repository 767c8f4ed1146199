#include "solvers/rule.h"

#include <math.h>
#include <stdio.h>

/* Microseconds on the GPU of the model, an H200 (docs/preconditioners/auto.md). Multigrid's are counted with
 * caution. */
static const double dispatch = 1.5, dispatch_with_caution = 3, bytes = 4.3e6, bytes_with_caution = 3.6e6;
/* Of an iteration with the diagonal: at least, and as measured over the model. */
static const double least_iteration = 12, measured = 1.6;
/* Of a set-up: for each level but the last, and for an entry of A. */
static const double level = 1000, entry = 6e-4;
/* Rows of a level for one of the next, the entries of all levels with their transfers over those of A, and
 * the rows of all levels over those of A. */
static const double coarsening = 10, all_entries = 1.5, all_rows = 1.1;
/* A level is made coarser if it has more rows. */
static const double coarsest = 512;
/* An iteration: dispatches and vectors of conjugate gradients; of a level's cycle dispatches, products with
 * its matrix and vectors. */
enum { CG_DISPATCHES = 3, CG_VECTORS = 12, LEVEL_DISPATCHES = 6, LEVEL_PRODUCTS = 4, LEVEL_VECTORS = 21 };
/* Iterations with multigrid that are counted on, and its budget; and the patience with either attempt. */
enum { EXPECTED = 15, MULTIGRID_BUDGET = 200, JACOBI_PATIENCE = 4, MULTIGRID_PATIENCE = 1 };
/* Shares: of positive entries, up to which multigrid suits equations of one unknown a node, and above which
 * it suits nothing; of rows whose diagonal dominates. */
static const double few_positive = 0.2, many_positive = 0.5, most_dominated = 0.9;

struct times {
    double jacobi, multigrid; /* of an iteration */
    double setup;             /* of multigrid */
};

static struct times model(const struct rule_facts *f)
{
    double rows = f->rows, entries = f->entries, real = f->bytes, last = rows, levels = 0;
    while (last > coarsest) {
        last /= coarsening;
        levels++;
    }
    double moved = entries * (real + 4) + rows * (4 + CG_VECTORS * real);
    double cycle = all_entries * LEVEL_PRODUCTS * 8 * entries + all_rows * LEVEL_VECTORS * 4 * rows;
    double dispatches = CG_DISPATCHES + 3 + LEVEL_DISPATCHES * levels;
    return (struct times){
        .jacobi = fmax(least_iteration, measured * (CG_DISPATCHES * dispatch + moved / bytes)),
        .multigrid = dispatches * dispatch_with_caution + (moved + cycle) / bytes_with_caution,
        .setup = levels * level + entry * entries + 9 + 4.5 * last + last * last * last / 1e7};
}

/* Why multigrid is not attempted; false: it is. */
static bool declines(const struct rule_facts *f, char *why, size_t size)
{
    const struct signs *s = &f->signs;
    if (f->rows <= RULE_FEW_ROWS)
        snprintf(why, size, "%u rows are too few for multigrid", f->rows);
    else if (s->diagonal)
        snprintf(why, size, "there are no entries beside the diagonal");
    else if (!isfinite(s->positive))
        snprintf(why, size, "the sums of its entries are not finite, or found no memory");
    else if (s->dominated >= most_dominated)
        snprintf(why, size, "the diagonal dominates in %.0f %% of the rows: multigrid would gain nothing",
                 100 * s->dominated);
    else if (s->positive > many_positive)
        snprintf(why, size, "positive off-diagonals are %.2f of the sum: multigrid does not suit it",
                 s->positive);
    else if (s->positive > few_positive)
        snprintf(why, size,
                 "positive off-diagonals are %.2f of the sum, as in vector problems: multigrid would have to "
                 "know their nodes",
                 s->positive);
    else
        return false;
    return true;
}

static uint32_t budget_of(double iterations)
{
    return iterations < ATTEMPT_REST ? (uint32_t)iterations : ATTEMPT_REST;
}

/* Multigrid, at once or after as many iterations as its set-up costs. */
static void add_multigrid(const struct rule_facts *f, struct attempts *to, char *why, size_t size)
{
    struct times t = model(f);
    double budget = ceil(t.setup / t.jacobi);
    bool at_once = 2 * cbrt(f->rows) * t.jacobi > t.setup + EXPECTED * t.multigrid;
    snprintf(why, size,
             at_once ? "multigrid at once: jacobi is expected to take more than the %.0f iterations that its "
                       "set-up costs"
                     : "multigrid may pay after %.0f iterations of jacobi, which its set-up costs",
             budget);
    if (!at_once)
        to->row[to->count++] = (struct attempt){
            .precond = ATTEMPT_JACOBI, .budget = budget_of(budget), .patience = JACOBI_PATIENCE};
    to->row[to->count++] = (struct attempt){.precond = ATTEMPT_MULTIGRID,
                                            .budget = MULTIGRID_BUDGET,
                                            .patience = MULTIGRID_PATIENCE,
                                            .may_miss = true,
                                            .may_fail = true};
}

void rule_apply(const struct rule_facts *f, struct attempts *to, char *why, size_t size)
{
    to->count = 0;
    if (!declines(f, why, size))
        add_multigrid(f, to, why, size);
    else if (f->rows > RULE_FEW_ROWS && f->signs.positive > few_positive)
        to->row[to->count++] =
            (struct attempt){.precond = ATTEMPT_BLOCKS, .budget = ATTEMPT_REST, .may_miss = true};
    to->row[to->count++] = (struct attempt){.precond = ATTEMPT_JACOBI, .budget = ATTEMPT_REST};
}
