/* The diagonal of a level, a bound of its eigenvalues, and the weights of its smoother. */
#include "solvers/bounds/smoothing.h"
#include "solvers/multigrid/multigrid.h"

/* The eigenvalues of D^-1 A are in the disc |z - 1| <= 1 if no off-diagonal entry is positive, and no row
 * sum, or no column sum, is negative. Steps of this weight, over the bound, damp them all. */
static const double bound_of_disc = 2, weight_of_disc = 1.5;

/* Copies a diagnosis; the copy from a coarser level names no row of A. */
static void take_diagnosis(struct diagnosis *f, const struct diagnosis *of_level, uint32_t level)
{
    if (!diagnosis_refuses(of_level))
        return;
    if (level)
        diagnosis_refuse(f, of_level->reason, UINT32_MAX, "level %u of multigrid: %.200s", level + 1,
                         of_level->detail);
    else
        diagnosis_refuse(f, of_level->reason, of_level->row, "%s", of_level->detail);
}

vks_status multigrid_measure(struct multigrid *g, uint32_t at, struct diagnosis *f)
{
    static const vks_precond_options jacobi = {.kind = VKS_PRECOND_JACOBI};
    struct multigrid_level *l = &g->level[at];
    struct diagnosis of_level = {.row = UINT32_MAX, .order = at ? NULL : f->order};
    vks_status s =
        l->jacobi ? precond_refresh(l->jacobi, &of_level)
                  : precond_create(l->A, g->precision, PRECOND_FOR_POSITIVE, &jacobi, &of_level, &l->jacobi);
    if (!s && !diagnosis_refuses(&of_level) && !at && g->precision == PRECISION_F32)
        s = multigrid_check_range(g->device, multigrid_diagonal(l)->d, &of_level);
    if (!s && !diagnosis_refuses(&of_level)) {
        const struct diagonal *d = multigrid_diagonal(l);
        l->bound = bound_of_disc;
        if (g->symmetric)
            s = lanczos_bound(l->jacobi, (struct diagonal_matrix){vec_reals(d->d), d->form == DIAGONAL_EACH},
                              &of_level, &l->bound);
    }
    take_diagnosis(f, &of_level, at);
    return s;
}

vks_status multigrid_weigh(struct multigrid *g, struct multigrid_level *l)
{
    double weights[MULTIGRID_STEPS];
    for (uint32_t i = 0; i < MULTIGRID_STEPS; i++)
        weights[i] = (g->symmetric ? smoothing_weights[0][i] : weight_of_disc) / l->bound;
    return upload_values(g->device, &l->weights, public_precision(g->precision), 0, MULTIGRID_STEPS, VKS_F64,
                         weights);
}

void multigrid_warn_stalled(const struct multigrid *g, uint32_t at, struct diagnosis *f)
{
    diagnosis_warn(
        f,
        "coarsening stalled: level %u of multigrid has %u rows, and the smoother takes the place of "
        "its inverse",
        at + 1, g->level[at].A->csr.n);
}
