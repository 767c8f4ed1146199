/* Levels of a matrix that is not symmetric: smoothed aggregation with a separate restrictor. Strong
 * connections and aggregates are those of the symmetric part (A + A^T) / 2; an entry without a mirror image
 * is never strong. The prolongator is smoothed by A, and the restrictor by A^T:
 *
 *   P = (I - w F^-1 A_F) T,   R^T = (I - w F'^-1 A^T_F) T
 *
 * M. Sala, R. Tuminaro, "A new Petrov-Galerkin smoothed aggregation preconditioner for nonsymmetric linear
 * systems" (2008), with one w. So the next matrix of a convection problem is upwind again. */
#include "solvers/multigrid/coarsen.h"
#include "sparse/spgemm.h"

vks_status coarsen_symmetric_part(struct coarsening *c)
{
    const struct csr *A = &c->A->csr, *T = &c->transpose->csr;
    struct vec part = room_vec(&c->room, A->entries, c->precision, "a symmetric part");
    struct rec r = rec_once(c->device, c->precision);
    run(&r, symmetric_part, groups_each(A->entries), .row = A->row, .col = A->col,
        .val = reals_of(&r, A->val), .t_row = T->row, .t_col = T->col, .t_val = reals_of(&r, T->val),
        .part = vec_reals(part), .n = A->n, .entries = A->entries);
    bill(&r, csr_bytes(&r, A) + csr_bytes(&r, T) + vec_bytes(part));
    vks_status s = rec_leave_once(&r, c->room.status);
    c->graph.val = (values)(uintptr_t)part.at;
    return s;
}

/* Gives S the values of the smoother of A. */
static vks_status smooth_by(const struct coarsening *c, const struct csr *A)
{
    const struct csr *S = &c->S->csr;
    struct rec r = rec_once(c->device, c->precision);
    run(&r, smoother_entries, groups_rows(A->n, A->lanes), .row = A->row, .col = A->col,
        .val = reals_of(&r, A->val), .to_row = S->row, .to_col = S->col, .to_val = reals_of(&r, S->val),
        .w = (number)(uintptr_t)c->weight.address, .n = A->n, .lanes = A->lanes);
    bill(&r, 2 * csr_bytes(&r, A) + csr_bytes(&r, S));
    return rec_leave_once(&r, VKS_OK);
}

/* *P = S T, with the smoother of A. */
static vks_status prolongator(const struct coarsening *c, const struct csr *A, vks_matrix **P)
{
    TRY(smooth_by(c, A));
    return coarsen_multiply(c, c->S, c->T, P);
}

vks_status coarsen_two_transfers(struct coarsening *c)
{
    vks_matrix *Rt = NULL;
    vks_status s = prolongator(c, &c->A->csr, &c->P);
    IF_OK(s, prolongator(c, &c->transpose->csr, &Rt));
    IF_OK(s, coarsen_transpose(Rt, &c->R));
    vks_matrix_destroy(Rt);
    return s;
}
