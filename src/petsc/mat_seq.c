/* The matrix of one process. */
#include "petsc/mat.h"

/* out = M x */
static PetscErrorCode forward(Mat M, Vec x, vks_vector *out)
{
    struct aij *a = mat_aij(M);
    vks_vector *in;
    PetscFunctionBegin;
    PetscCall(local_follow(&a->local, M, NULL, 0, 0));
    PetscCall(vec_lend_read(x, &a->right, &in));
    PetscCallVks(vks_spmv(a->local.A, in, out));
    PetscFunctionReturn(0);
}

/* out = M^T x */
static PetscErrorCode transposed(Mat M, Vec x, vks_vector *out)
{
    struct aij *a = mat_aij(M);
    vks_vector *in;
    PetscFunctionBegin;
    PetscCall(local_follow(&a->local, M, NULL, 0, 0));
    PetscCall(vec_lend_read(x, &a->left, &in));
    PetscCallVks(vks_spmv_transpose(a->local.A, in, out));
    PetscFunctionReturn(0);
}

static PetscErrorCode mult(Mat M, Vec x, Vec y)
{
    return mat_multiply(M, forward, x, y, &mat_aij(M)->left);
}

static PetscErrorCode mult_transpose(Mat M, Vec x, Vec y)
{
    return mat_multiply(M, transposed, x, y, &mat_aij(M)->right);
}

/* Where z is on the host, so is the sum: the block of ghosts of an ordinary mpiaij (-mat_seqaij_type) has few
 * entries, and its z is as long as all rows. */
static PetscErrorCode mult_add(Mat M, Vec x, Vec y, Vec z)
{
    struct aij *a = mat_aij(M);
    if (!vec_is_ours(z))
        return (*a->base.multadd)(M, x, y, z);
    return mat_multiply_add(M, forward, x, y, z, &a->left_sum);
}

static PetscErrorCode mult_transpose_add(Mat M, Vec x, Vec y, Vec z)
{
    struct aij *a = mat_aij(M);
    if (!vec_is_ours(z))
        return (*a->base.multtransposeadd)(M, x, y, z);
    return mat_multiply_add(M, transposed, x, y, z, &a->right_sum);
}

const struct mat_type mat_seq = {.name = PLUGIN_MAT_SEQ,
                                 .base = MATSEQAIJ,
                                 .ops = {.mult = mult,
                                         .multadd = mult_add,
                                         .multtranspose = mult_transpose,
                                         .multtransposeadd = mult_transpose_add}};

PetscErrorCode mat_local(Mat M, struct local *own, struct local **local)
{
    PetscBool seq, type_is_ours;
    PetscFunctionBegin;
    PetscCall(PetscObjectBaseTypeCompare((PetscObject)M, MATSEQAIJ, &seq));
    PetscCheck(
        seq, PETSC_COMM_SELF, PETSC_ERR_SUP,
        "vksolve solves with matrices of type seqaij; this one is %s. On several processes take it below "
        "bjacobi or telescope, or -mat_type " PLUGIN_MAT " with a KSP of PETSc's",
        ((PetscObject)M)->type_name);
    PetscCall(PetscObjectTypeCompare((PetscObject)M, PLUGIN_MAT_SEQ, &type_is_ours));
    *local = type_is_ours ? &mat_aij(M)->local : own;
    PetscCall(local_follow(*local, M, NULL, 0, 0));
    PetscFunctionReturn(0);
}
