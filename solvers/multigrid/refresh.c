/* New values for a hierarchy with unchanged aggregates and prolongators: recomputes the matrices of the
 * levels in place, and from them diagonals, bounds, weights and the inverse. */
#include "solvers/multigrid/coarsen.h"
#include "solvers/system/f32_copy.h"
#include "sparse/narrow.h"

/* The matrix of a level in full width. */
static const vks_matrix *wide_of(const struct multigrid *g, uint32_t at)
{
    const struct multigrid_level *l = &g->level[at];
    return !at ? g->A : l->kept.A ? l->kept.A : l->own;
}

/* Updates the matrix of the cycle from its values in full width. */
static vks_status update_values(const struct multigrid *g, uint32_t at)
{
    const struct multigrid_level *l = &g->level[at];
    if (!at)
        return f32_copy_refresh(g->A, g->copy);
    return l->kept.A ? matrix_round_again(l->kept.A, l->own) : format_refresh(l->own);
}

/* Computes the values of the next level. */
static vks_status multiply(struct multigrid *g, uint32_t at)
{
    struct multigrid_level *l = &g->level[at], *next = l + 1;
    struct coarsening c = {.device = g->device,
                           .A = wide_of(g, at),
                           .blocks = g->nodes.modes ? &l->kept.blocks : NULL,
                           .precision = g->wide,
                           .reference = (reals)(uintptr_t)l->kept.reference.address,
                           .P = l->kept.P ? l->kept.P : l->P,
                           .R = l->kept.R ? l->kept.R : l->R,
                           .coarse = own_matrix(wide_of(g, at + 1)),
                           .next = next->kept.blocks,
                           .next_reference = next->kept.reference,
                           .kept = &l->kept};
    return coarsen_refresh_products(&c);
}

/* Updates the next level, or the inverse. */
static vks_status go_on(struct multigrid *g, uint32_t at, struct diagnosis *f)
{
    struct multigrid_level *l = &g->level[at];
    const vks_matrix *A = wide_of(g, at);
    vks_status s = VKS_OK;
    if (!at && g->nodes.modes && g->count > 1)
        s = blocks_from_csr_again(A, &l->kept.blocks);
    if (!s && !at)
        s = coarsen_begin_reference(g->device, multigrid_diagonal(l)->d, g->wide, &l->kept.reference);
    IF_OK(s, csr_acquire_wide(A));
    if (s)
        return s;
    if (at + 1 < g->count)
        s = multiply(g, at);
    else if (g->coarsest.inverse.n)
        s = multigrid_invert(g, A, (reals)(uintptr_t)l->kept.reference.address, f);
    csr_release_wide(A);
    return s;
}

static vks_status take_levels(struct multigrid *g, struct diagnosis *f)
{
    for (uint32_t i = 0; i < g->count && !diagnosis_refuses(f); i++) {
        TRY(update_values(g, i));
        TRY(multigrid_measure(g, i, f));
        if (diagnosis_refuses(f))
            break;
        TRY(multigrid_weigh(g, &g->level[i]));
        TRY(go_on(g, i, f));
    }
    return VKS_OK;
}

vks_status multigrid_refresh(struct multigrid *g, struct diagnosis *f, bool *done)
{
    *done = g->keeps && g->count && g->was_narrow == g->A->narrow;
    if (!*done)
        return VKS_OK;
    scratch_begin(&g->scratch, g->device);
    vks_status s = take_levels(g, f), t = scratch_end(&g->scratch);
    if (g->stalled)
        multigrid_warn_stalled(g, g->count - 1, f);
    return s ? s : t;
}

uint32_t multigrid_layout(const struct multigrid *g)
{
    uint32_t layout = g->copy ? g->copy->layout : 0;
    for (uint32_t i = 0; i < g->count; i++) {
        const struct multigrid_level *l = &g->level[i];
        layout += l->jacobi->layout + (l->own ? l->own->layout : 0);
    }
    return layout;
}
