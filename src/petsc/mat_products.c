/* Products: into Vecs, and added to Vecs, of whatever type. */
#include "petsc/mat.h"

static PetscErrorCode run(Mat M, mat_product *product, Vec x, vks_vector *out)
{
    PetscFunctionBegin;
    PetscCall(plugin_begin(PLUGIN_EVENT_PRODUCT));
    PetscCall((*product)(M, x, out));
    PetscCall(PetscLogFlops(2.0 * vks_matrix_entries(mat_aij(M)->local.A)));
    PetscCall(plugin_end(PLUGIN_EVENT_PRODUCT));
    PetscFunctionReturn(0);
}

PetscErrorCode mat_multiply(Mat M, mat_product *product, Vec x, Vec y, vks_vector **scratch)
{
    vks_vector *out;
    PetscFunctionBegin;
    PetscCall(vec_lend_write(y, scratch, &out));
    PetscCall(run(M, product, x, out));
    PetscCall(vec_take_back(y, out));
    PetscFunctionReturn(0);
}

/* z = y + product. It takes a vector for the product, and the sum. */
PetscErrorCode mat_multiply_add(Mat M, mat_product *product, Vec x, Vec y, Vec z, vks_vector **sum)
{
    uint32_t n;
    vks_vector *out;
    PetscFunctionBegin;
    PetscCall(plugin_word(z->map->n, "rows", &n));
    if (!*sum)
        PetscCallVks(vks_vector_create(plugin_context, n, VKS_F64, sum));
    PetscCall(run(M, product, x, *sum));
    if (y != z)
        PetscCall(VecCopy(y, z));
    PetscCall(vec_change(z, &out));
    PetscCallVks(vks_vector_axpy(1, *sum, out));
    PetscFunctionReturn(0);
}
