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

const struct mat_type mat_seq = {
    .name = PLUGIN_MAT_SEQ, .base = MATSEQAIJ, .forward = forward, .transposed = transposed};

PetscErrorCode mat_local(Mat M, struct local *own, struct local **local)
{
    PetscBool seq, type_is_ours;
    PetscFunctionBegin;
    PetscCall(PetscObjectBaseTypeCompare((PetscObject)M, MATSEQAIJ, &seq));
    PetscCheck(seq, PETSC_COMM_SELF, PETSC_ERR_SUP, "vksolve takes matrices of type aij; this one is %s",
               ((PetscObject)M)->type_name);
    PetscCheck(M->assembled, PETSC_COMM_SELF, PETSC_ERR_ARG_WRONGSTATE, "the matrix is not assembled");
    PetscCall(PetscObjectTypeCompare((PetscObject)M, PLUGIN_MAT_SEQ, &type_is_ours));
    *local = type_is_ours ? &mat_aij(M)->local : own;
    PetscCall(local_follow(*local, M, NULL, 0, 0));
    PetscFunctionReturn(0);
}
