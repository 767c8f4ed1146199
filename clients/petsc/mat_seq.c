/* The matrix of one process. */
#include "petsc/mat.h"
#include "petsc/vec_lend.h"

/* out = M x */
static PetscErrorCode forward(Mat M, Vec x, vks_vector *out)
{
    struct aij *a = mat_aij(M);
    vks_vector *in;
    PetscFunctionBegin;
    if (!out)
        PetscFunctionReturn(0);
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
    if (!out)
        PetscFunctionReturn(0);
    PetscCall(local_follow(&a->local, M, NULL, 0, 0));
    PetscCall(vec_lend_read(x, &a->left, &in));
    PetscCallVks(vks_spmv_transpose(a->local.A, in, out));
    PetscFunctionReturn(0);
}

const struct mat_type mat_seq = {
    .name = PLUGIN_MAT_SEQ, .base = MATSEQAIJ, .forward = forward, .transposed = transposed};

static PetscErrorCode check(Mat M)
{
    PetscBool seq;
    PetscFunctionBegin;
    PetscCall(PetscObjectBaseTypeCompare((PetscObject)M, MATSEQAIJ, &seq));
    PetscCheck(seq, PETSC_COMM_SELF, PETSC_ERR_SUP, "vksolve takes matrices of type aij; this one is %s",
               ((PetscObject)M)->type_name);
    PetscCheck(M->assembled, PETSC_COMM_SELF, PETSC_ERR_ARG_WRONGSTATE, "the matrix is not assembled");
    PetscFunctionReturn(0);
}

/* The rows that M itself has on the device; NULL if M has another type. */
static PetscErrorCode own_rows(Mat M, struct local **local)
{
    PetscBool ours;
    PetscFunctionBegin;
    PetscCall(PetscObjectTypeCompare((PetscObject)M, PLUGIN_MAT_SEQ, &ours));
    *local = ours && mat_aij(M) ? &mat_aij(M)->local : NULL;
    PetscFunctionReturn(0);
}

PetscErrorCode mat_local(Mat M, struct local *own, struct local **local)
{
    PetscFunctionBegin;
    PetscCall(check(M));
    PetscCall(own_rows(M, local));
    if (!*local)
        *local = own;
    PetscCall(local_follow(*local, M, NULL, 0, 0));
    PetscFunctionReturn(0);
}

PetscErrorCode mat_hold(Mat M, struct holder *h, struct local **local)
{
    PetscObjectId id;
    PetscFunctionBegin;
    local_let_go(h); /* the values of its rows may now be updated in place */
    PetscCall(check(M));
    PetscCall(own_rows(M, local));
    PetscCall(PetscObjectGetId((PetscObject)M, &id));
    if (!*local || (*local)->holder || (h->own.A && h->own.own.id == id)) {
        *local = &h->own;
        PetscCall(local_follow(*local, M, NULL, 0, 0));
        PetscFunctionReturn(0);
    }
    PetscCall(local_follow(*local, M, NULL, 0, 0));
    local_clear(&h->own); /* may be a copy of another matrix */
    local_hold(*local, h);
    PetscFunctionReturn(0);
}
