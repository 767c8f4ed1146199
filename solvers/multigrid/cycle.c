/* The V-cycle. A level takes two smoother steps before and after the coarser levels: those of the optimised
 * Chebyshev polynomial of the fourth kind (see precond/chebyshev.c), which needs no lower bound of the
 * eigenvalues. Each line is a product that ends in an operation on its rows:
 *
 *   t = w1 D^-1 b                       on the finest level 3n; below, part of the line with R
 *   x = t + w2 D^-1 (b - A t)           matrix + 4n
 *   t = b - A x                         matrix + 3n
 *   b' = R t,  t' = w1' D'^-1 b'        R + n + 3n'
 *   x' = a cycle of the next level
 *   x = x + P x'                        P + 2n + n'
 *   t = x + w1 D^-1 (b - A x)           matrix + 4n
 *   x = t + w2 D^-1 (b - A t)           matrix + 4n */
#include "solvers/multigrid/multigrid.h"
#include "sparse/then.h"

/* Applications of the smoother in place of an inverse. */
enum { COARSEST_SWEEPS = 4 };

static number weight(const struct multigrid *g, const struct multigrid_level *l, uint32_t i)
{
    return (number)(uintptr_t)(l->weights.address + i * (uint64_t)real_bytes(g->precision));
}

/* Returns a product of this form, with a step of level l. */
static struct product_then then(const struct multigrid *g, const struct multigrid_level *l, uint32_t form,
                                uint32_t step)
{
    const struct diagonal *d = multigrid_diagonal(l);
    return (struct product_then){
        .form = form, .varies = d->form == DIAGONAL_EACH, .w = weight(g, l, step), .d = vec_reals(d->d)};
}

/* y = x + w D^-1 (b - A x) */
static void step(struct rec *r, const struct multigrid *g, const struct multigrid_level *l, uint32_t i,
                 struct vec b, struct vec x, struct vec y)
{
    struct product_then t = then(g, l, PRODUCT_STEP, i);
    t.x = x;
    t.b = b;
    t.y = y;
    spmv_then(r, l->A, &t);
}

/* t = b - A x */
static void residual(struct rec *r, const struct multigrid *g, const struct multigrid_level *l, struct vec b,
                     struct vec x)
{
    struct product_then t = then(g, l, PRODUCT_RESIDUAL, 0);
    t.x = x;
    t.b = b;
    t.y = l->t;
    spmv_then(r, l->A, &t);
}

/* Records the first step of a level, from x = 0. */
static void begin(struct rec *r, const struct multigrid *g, const struct multigrid_level *l, struct vec b)
{
    struct product_then t = then(g, l, PRODUCT_STEP, 0);
    scale_each(r, t.w, t.d, t.varies, b, l->t);
}

/* Records the right side of the next level, and its first step. */
static void restrict_to(struct rec *r, const struct multigrid *g, const struct multigrid_level *l,
                        const struct multigrid_level *next)
{
    struct product_then t = then(g, next, PRODUCT_SCALED, 0);
    t.x = l->t;
    t.y = next->b;
    t.z = next->t;
    spmv_then(r, l->R, &t);
}

/* x = x + P x' */
static void prolong(struct rec *r, const struct multigrid *g, const struct multigrid_level *l,
                    struct vec coarse, struct vec x)
{
    struct product_then t = then(g, l, PRODUCT_ADD, 0);
    t.x = coarse;
    t.b = x;
    t.y = x;
    t.spare = l->t;
    spmv_then(r, l->P, &t);
}

/* Records the last level, whose first step is in t. */
static void solve_coarsest(struct rec *r, const struct multigrid *g, const struct multigrid_level *l,
                           struct vec b, struct vec x)
{
    if (g->coarsest.inverse.n) {
        multigrid_solve_coarsest(r, g, b, x);
        return;
    }
    step(r, g, l, 1, b, l->t, x);
    for (uint32_t i = 1; i < COARSEST_SWEEPS; i++) {
        step(r, g, l, 0, b, x, l->t);
        step(r, g, l, 1, b, l->t, x);
    }
}

/* Records a cycle; the first step of the level is in t. */
static void cycle(struct rec *r, const struct multigrid *g, struct vec b, struct vec x, uint32_t at)
{
    const struct multigrid_level *l = &g->level[at], *next = l + 1;
    if (at + 1 == g->count) {
        solve_coarsest(r, g, l, b, x);
        return;
    }
    step(r, g, l, 1, b, l->t, x);
    residual(r, g, l, b, x);
    restrict_to(r, g, l, next);
    cycle(r, g, next->b, next->x, at + 1);
    prolong(r, g, l, next->x, x);
    step(r, g, l, 0, b, x, l->t);
    step(r, g, l, 1, b, l->t, x);
}

void multigrid_cycle(struct rec *r, const struct multigrid *g, struct vec b, struct vec x)
{
    if (!g->count)
        return;
    begin(r, g, g->level, b);
    cycle(r, g, b, x, 0);
}

uint64_t multigrid_entries(const struct multigrid *g)
{
    uint64_t n = g->count ? g->level[g->count - 1].A->csr.n : 0, entries = n * n;
    for (uint32_t i = 0; i + 1 < g->count; i++) {
        const struct multigrid_level *l = &g->level[i];
        entries += 4 * (uint64_t)l->A->csr.entries + l->R->csr.entries + l->P->csr.entries;
    }
    return entries;
}
