/* Products into Vecs of any type, and added to them, by the device products of a type of matrix. */
#include "petsc/context.h"
#include "petsc/log.h"
#include "petsc/mat.h"
#include "petsc/vec_arrays.h"
#include "petsc/vec_lend.h"

static PetscErrorCode run(Mat M, mat_product *product, Vec x, vks_vector *out)
{
    PetscFunctionBegin;
    PetscCall(plugin_begin(PLUGIN_EVENT_PRODUCT));
    PetscCall((*product)(M, x, out));
    if (out)
        PetscCall(PetscLogFlops(2.0 * vks_matrix_entries(mat_aij(M)->local.A)));
    PetscCall(plugin_end(PLUGIN_EVENT_PRODUCT));
    PetscFunctionReturn(0);
}

/* y = product. `scratch` is the member of struct aij that has the length of y. */
static PetscErrorCode multiply(Mat M, mat_product *product, Vec x, Vec y, vks_vector **scratch)
{
    vks_vector *out = NULL;
    PetscErrorCode lent = vec_lend_write(y, scratch, &out), code;
    PetscFunctionBegin;
    code = run(M, product, x, lent ? NULL : out);
    PetscCall(lent);
    PetscCall(code);
    PetscCall(vec_take_back(y, out));
    PetscFunctionReturn(0);
}

static PetscErrorCode make_sum(Vec z, vks_vector **sum)
{
    uint32_t n;
    PetscFunctionBegin;
    PetscCall(plugin_open());
    PetscCall(plugin_word(z->map->n, "rows", &n));
    if (!*sum)
        PetscCallVks(vks_vector_create(plugin_context, n, VKS_F64, sum));
    PetscFunctionReturn(0);
}

/* z = z + sum, on the host if the array of z is lent. */
static PetscErrorCode add(const vks_vector *sum, Vec z)
{
    vks_vector *out;
    PetscScalar *more, *to;
    PetscInt n = z->map->n;
    vks_status status;
    PetscFunctionBegin;
    if (vec_may_change(z)) {
        PetscCall(vec_change(z, &out));
        PetscCallVks(vks_vector_axpy(1, sum, out));
        PetscFunctionReturn(0);
    }
    PetscCall(PetscMalloc1(n, &more));
    status = vks_vector_read(sum, 0, (uint32_t)n, VKS_F64, more);
    if (!status) {
        PetscCall(VecGetArray(z, &to));
        for (PetscInt i = 0; i < n; i++)
            to[i] += more[i];
        PetscCall(VecRestoreArray(z, &to));
    }
    PetscCall(PetscFree(more));
    PetscCallVks(status);
    PetscFunctionReturn(0);
}

/* z = y + product, computed as a product and a sum. */
static PetscErrorCode multiply_add(Mat M, mat_product *product, Vec x, Vec y, Vec z, vks_vector **sum)
{
    PetscErrorCode made = make_sum(z, sum), code;
    PetscFunctionBegin;
    code = run(M, product, x, made ? NULL : *sum);
    PetscCall(made);
    PetscCall(code);
    if (y != z)
        PetscCall(VecCopy(y, z));
    PetscCall(add(*sum, z));
    PetscFunctionReturn(0);
}

PetscErrorCode mat_mult(Mat M, Vec x, Vec y)
{
    struct aij *a = mat_aij(M);
    return multiply(M, a->type->forward, x, y, &a->left);
}

PetscErrorCode mat_mult_transpose(Mat M, Vec x, Vec y)
{
    struct aij *a = mat_aij(M);
    return multiply(M, a->type->transposed, x, y, &a->right);
}

/* If z is on the host, so is the sum: the block of ghosts of an ordinary mpiaij (-mat_seqaij_type) has few
 * entries, and its z is as long as all rows. */
PetscErrorCode mat_mult_add(Mat M, Vec x, Vec y, Vec z)
{
    struct aij *a = mat_aij(M);
    if (!vec_is_ours(z))
        return (*a->base.multadd)(M, x, y, z);
    return multiply_add(M, a->type->forward, x, y, z, &a->left_sum);
}

PetscErrorCode mat_mult_transpose_add(Mat M, Vec x, Vec y, Vec z)
{
    struct aij *a = mat_aij(M);
    if (!vec_is_ours(z))
        return (*a->base.multtransposeadd)(M, x, y, z);
    return multiply_add(M, a->type->transposed, x, y, z, &a->right_sum);
}
