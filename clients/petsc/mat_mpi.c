/* The matrix of several processes.
 *
 * PETSc stores the rows of a process in two blocks: the columns that the process owns, and the others. On the
 * device they are one matrix, whose columns are [those of lower ranks | own | those of higher ranks]. So a
 * row is summed in the order of its global columns, as one process would sum it, and in one kernel. */
#include "petsc/context.h"
#include "petsc/log.h"
#include "petsc/mat.h"
#include "petsc/vec_lend.h"

void mat_clear_halo(struct aij *a)
{
    halo_clear(&a->halo);
    vks_vector_destroy(a->own);
    vks_vector_destroy(a->extended);
    a->own = a->extended = NULL;
}

/* The lanes that one process would use, so that a row has the same bits on any number of processes. */
static PetscErrorCode choose_lanes(Mat M, Mat own, Mat ghosts, uint32_t *lanes)
{
    MatInfo of_own, of_ghosts;
    PetscLogDouble entries, all;
    PetscFunctionBegin;
    PetscCall(MatGetInfo(own, MAT_LOCAL, &of_own));
    PetscCall(MatGetInfo(ghosts, MAT_LOCAL, &of_ghosts));
    entries = of_own.nz_used + of_ghosts.nz_used;
    PetscCallMPI(MPI_Allreduce(&entries, &all, 1, MPI_DOUBLE, MPI_SUM, PetscObjectComm((PetscObject)M)));
    *lanes = vks_lanes_of((uint64_t)M->rmap->N, (uint64_t)all);
    PetscFunctionReturn(0);
}

/* Makes the array of the elements of x that the rows need, and the halo that fetches them. Collective. */
static PetscErrorCode make_structure(Mat M, PetscInt count, const PetscInt *ghost)
{
    struct aij *a = mat_aij(M);
    uint32_t n, length;
    PetscFunctionBegin;
    PetscCall(halo_make(&a->halo, (PetscObject)M, M->cmap, count, ghost));
    for (a->low = 0; a->low < count && ghost[a->low] < M->cmap->rstart; a->low++)
        ;
    PetscCall(plugin_word(M->cmap->n, "columns", &n));
    PetscCall(plugin_word(M->cmap->n + count, "columns", &length));
    PetscCallVks(vks_vector_create(plugin_context, length, VKS_F64, &a->extended));
    PetscCallVks(vks_vector_view(a->extended, (uint32_t)a->low, n, &a->own));
    PetscFunctionReturn(0);
}

/* Updates the structure if the matrix has changed, which all ranks detect alike. If one rank fails, all do,
 * and retry the next time. */
static PetscErrorCode follow_structure(Mat M, Mat own, Mat ghosts, const PetscInt *ghost)
{
    struct aij *a = mat_aij(M);
    PetscObjectId ids[2];
    PetscErrorCode code;
    PetscFunctionBegin;
    PetscCall(PetscObjectGetId((PetscObject)own, &ids[0]));
    PetscCall(PetscObjectGetId((PetscObject)ghosts, &ids[1]));
    if (a->extended && ids[0] == a->blocks[0] && ids[1] == a->blocks[1] && M->nonzerostate == a->nonzeros)
        PetscFunctionReturn(0);
    mat_clear_halo(a);
    local_clear(&a->local); /* on all ranks, even if the blocks are unchanged */
    PetscCall(plugin_agree(PetscObjectComm((PetscObject)M), plugin_open()));
    PetscCall(choose_lanes(M, own, ghosts, &a->lanes));
    code = plugin_agree(PetscObjectComm((PetscObject)M), make_structure(M, ghosts->cmap->n, ghost));
    if (code)
        mat_clear_halo(a);
    PetscCall(code);
    a->blocks[0] = ids[0];
    a->blocks[1] = ids[1];
    a->nonzeros = M->nonzerostate;
    PetscFunctionReturn(0);
}

PetscErrorCode mat_follow_structure(Mat M)
{
    Mat own, ghosts;
    const PetscInt *ghost;
    PetscFunctionBegin;
    PetscCall(MatMPIAIJGetSeqAIJ(M, &own, &ghosts, &ghost));
    PetscCall(follow_structure(M, own, ghosts, ghost));
    PetscFunctionReturn(0);
}

PetscErrorCode mat_follow_values(Mat M)
{
    struct aij *a = mat_aij(M);
    Mat own, ghosts;
    PetscFunctionBegin;
    PetscCall(MatMPIAIJGetSeqAIJ(M, &own, &ghosts, NULL));
    PetscCall(local_follow(&a->local, own, ghosts, a->low, a->lanes));
    PetscFunctionReturn(0);
}

/* The positions of the ghosts of lower and of higher ranks in `extended`. */
struct range {
    uint32_t first, count;
    PetscScalar *values; /* on the host */
};

static void ghost_ranges(struct aij *a, struct range range[2])
{
    uint32_t low = (uint32_t)a->low, own = vks_vector_length(a->own);
    range[0] = (struct range){0, low, a->halo.ghosts.values};
    range[1] =
        (struct range){low + own, vks_vector_length(a->extended) - low - own, a->halo.ghosts.values + low};
}

/* Copies the received ghosts to the device. */
static PetscErrorCode write_ghosts(struct aij *a)
{
    struct range range[2];
    PetscFunctionBegin;
    ghost_ranges(a, range);
    for (int k = 0; k < 2; k++)
        if (range[k].count)
            PetscCallVks(
                vks_vector_write(a->extended, range[k].first, range[k].count, VKS_F64, range[k].values));
    PetscFunctionReturn(0);
}

/* *in = x with its ghosts. While MPI exchanges the halo, the device copies the own elements; rows without
 * ghosts could be multiplied here, too. A process that fails, or has already failed with `lent`, still takes
 * part in the exchange. */
static PetscErrorCode extend(Mat M, PetscErrorCode lent, Vec x, vks_vector **in)
{
    struct aij *a = mat_aij(M);
    vks_vector *own = NULL;
    PetscErrorCode begun;
    vks_status copied = VKS_OK;
    PetscFunctionBegin;
    if (!lent)
        lent = vec_lend_read(x, &a->right, &own);
    begun = halo_begin(&a->halo, lent ? NULL : own);
    *in = own;
    if (a->halo.ghosts.count && !lent) {
        copied = vks_vector_copy(own, a->own);
        *in = a->extended;
    }
    PetscCall(halo_end(&a->halo));
    PetscCall(lent);
    PetscCall(begun);
    PetscCallVks(copied);
    PetscCall(write_ghosts(a));
    PetscFunctionReturn(0);
}

/* out = M x */
static PetscErrorCode forward(Mat M, Vec x, vks_vector *out)
{
    vks_vector *in = NULL;
    PetscFunctionBegin;
    PetscCall(mat_follow_structure(M));
    PetscCall(extend(M, mat_follow_values(M), x, &in));
    if (out)
        PetscCallVks(vks_spmv(mat_aij(M)->local.A, in, out));
    PetscFunctionReturn(0);
}

/* out = the rows of M^T x on this process; the rest goes to h->ghosts.values. */
static PetscErrorCode transposed_here(Mat M, Vec x, vks_vector *out)
{
    struct aij *a = mat_aij(M);
    struct range range[2];
    vks_vector *in;
    PetscFunctionBegin;
    PetscCall(mat_follow_values(M));
    PetscCall(vec_lend_read(x, &a->left, &in));
    PetscCallVks(vks_spmv_transpose(a->local.A, in, a->extended));
    ghost_ranges(a, range);
    for (int k = 0; k < 2; k++)
        if (range[k].count) {
            PetscCallVks(
                vks_vector_read(a->extended, range[k].first, range[k].count, VKS_F64, range[k].values));
            plugin_crossed(PLUGIN_HALOS_DOWN, range[k].count * sizeof(double));
        }
    PetscCallVks(vks_vector_copy(a->own, out));
    PetscFunctionReturn(0);
}

/* out = M^T x. The parts for ghosts are sent to their owners, which add them. */
static PetscErrorCode transposed(Mat M, Vec x, vks_vector *out)
{
    PetscErrorCode here = 0;
    PetscFunctionBegin;
    PetscCall(mat_follow_structure(M));
    if (out)
        here = transposed_here(M, x, out);
    PetscCall(halo_add_back(&mat_aij(M)->halo, here ? NULL : out));
    PetscCall(here);
    PetscFunctionReturn(0);
}

const struct mat_type mat_mpi = {
    .name = PLUGIN_MAT_MPI, .base = MATMPIAIJ, .forward = forward, .transposed = transposed};
