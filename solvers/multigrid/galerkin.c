/* The products of a level. Each operand is released after its last use, since A P is larger than A. */
#include "solvers/multigrid/coarsen.h"
#include "sparse/spgemm.h"

static void drop(vks_matrix **A)
{
    vks_matrix_destroy(*A);
    *A = NULL;
}

/* Releases the data that the products with A do not need. */
static void drop_graph(struct coarsening *c)
{
    drop(&c->S);
    drop(&c->T);
    blocks_destroy(&c->smoother);
    blocks_destroy(&c->tentative);
    room_close(&c->room);
}

static void keep_or_drop(struct blocks *A, struct blocks *kept)
{
    if (kept)
        *kept = *A;
    else
        blocks_destroy(A);
}

/* The same products of blocks, which then become matrices. */
static vks_status multiply_blocks(struct coarsening *c)
{
    static const vks_format_options csr = {.format = VKS_FORMAT_CSR};
    struct blocks P = {0}, R = {0}, AP = {0};
    vks_status s = blocks_multiply(&c->smoother, &c->tentative, &P);
    drop_graph(c);
    IF_OK(s, blocks_transpose(&P, &R));
    IF_OK(s, blocks_multiply(c->blocks, &P, &AP));
    IF_OK(s, blocks_multiply(&R, &AP, &c->next));
    IF_OK(s, blocks_to_csr(&P, &csr, &c->P));
    IF_OK(s, blocks_to_csr(&R, &csr, &c->R));
    keep_or_drop(&AP, c->kept ? &c->kept->of_AP : NULL);
    keep_or_drop(&P, c->kept ? &c->kept->of_P : NULL);
    keep_or_drop(&R, c->kept ? &c->kept->of_R : NULL);
    IF_OK(s, coarsen_mend(c));
    return s ? s : blocks_to_csr(&c->next, &csr, &c->coarse);
}

vks_status coarsen_products(struct coarsening *c)
{
    if (c->blocks)
        return multiply_blocks(c);
    vks_matrix *AP = NULL;
    vks_status s = c->transpose ? coarsen_two_transfers(c) : coarsen_multiply(c, c->S, c->T, &c->P);
    drop_graph(c);
    if (!s && !c->transpose)
        s = coarsen_transpose(c->P, &c->R);
    IF_OK(s, coarsen_multiply(c, c->A, c->P, &AP));
    IF_OK(s, coarsen_multiply(c, c->R, AP, &c->coarse));
    if (c->kept)
        c->kept->AP = AP;
    else
        drop(&AP);
    return s ? s : coarsen_mend(c);
}

static vks_status blocks_again(struct coarsening *c)
{
    struct kept_level *kept = c->kept;
    vks_status s = blocks_multiply_again(c->blocks, &kept->of_P, &kept->of_AP);
    IF_OK(s, blocks_multiply_again(&kept->of_R, &kept->of_AP, &c->next));
    IF_OK(s, coarsen_mend(c));
    struct rec r = rec_once(c->device, c->precision);
    blocks_csr(&r, &c->next, &c->coarse->csr);
    return rec_leave_once(&r, s);
}

vks_status coarsen_refresh_products(struct coarsening *c)
{
    if (c->blocks)
        return blocks_again(c);
    TRY(spgemm_values(&c->A->csr, &c->P->csr, c->kept->AP, NULL));
    TRY(spgemm_values(&c->R->csr, &c->kept->AP->csr, c->coarse, NULL));
    return coarsen_mend(c);
}

void coarsen_close(struct coarsening *c)
{
    drop_graph(c);
    drop(&c->P);
    drop(&c->R);
    drop(&c->coarse);
    blocks_destroy(&c->next);
    device_release(c->device, &c->next_modes);
    device_release(c->device, &c->next_reference);
}
