#include "petsc/vec_lend.h"
#include "petsc/context.h"
#include "petsc/vec_arrays.h"

PetscErrorCode vec_check_length(Vec v, PetscInt rows, const char *space)
{
    PetscFunctionBegin;
    PetscCheck(v->map->n == rows, PETSC_COMM_SELF, PETSC_ERR_ARG_SIZ,
               "a vector of the %s has %" PetscInt_FMT " elements for %" PetscInt_FMT " rows", space,
               v->map->n, rows);
    PetscFunctionReturn(0);
}

/* A KSP may have got new matrices of another size since the last use. */
static PetscErrorCode make_scratch(Vec v, vks_vector **scratch)
{
    uint32_t n;
    PetscFunctionBegin;
    PetscCall(plugin_open());
    PetscCall(plugin_word(v->map->n, "rows of a vector", &n));
    if (*scratch && vks_vector_length(*scratch) != n) {
        vks_vector_destroy(*scratch);
        *scratch = NULL;
    }
    if (!*scratch)
        PetscCallVks(vks_vector_create(plugin_context, n, VKS_F64, scratch));
    PetscFunctionReturn(0);
}

PetscErrorCode vec_lend_read(Vec v, vks_vector **scratch, vks_vector **device)
{
    const PetscScalar *values;
    PetscFunctionBegin;
    if (vec_is_ours(v)) {
        PetscCall(vec_read(v, device));
        PetscFunctionReturn(0);
    }
    PetscCall(make_scratch(v, scratch));
    PetscCall(VecGetArrayRead(v, &values));
    PetscCall(vec_copy_up(values, *scratch));
    PetscCall(VecRestoreArrayRead(v, &values));
    *device = *scratch;
    PetscFunctionReturn(0);
}

PetscErrorCode vec_lend_write(Vec v, vks_vector **scratch, vks_vector **device)
{
    PetscFunctionBegin;
    if (vec_may_change(v)) {
        PetscCall(vec_write(v, device));
        PetscFunctionReturn(0);
    }
    PetscCall(make_scratch(v, scratch));
    *device = *scratch;
    PetscFunctionReturn(0);
}

PetscErrorCode vec_take_back(Vec v, vks_vector *device)
{
    PetscScalar *values;
    PetscFunctionBegin;
    if (vec_may_change(v))
        PetscFunctionReturn(0);
    PetscCall(VecGetArrayWrite(v, &values));
    PetscCall(vec_copy_down(device, values));
    PetscCall(VecRestoreArrayWrite(v, &values));
    PetscFunctionReturn(0);
}
