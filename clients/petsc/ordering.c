#include "petsc/ordering.h"
#include "petsc/plugin.h"

#include <petscmat.h>

static PetscFunctionList of_petsc;

static PetscErrorCode order(Mat M, MatOrderingType type, IS *rows, IS *cols)
{
    PetscErrorCode (*found)(Mat, MatOrderingType, IS *, IS *), code;
    PetscBool ours;
    PetscFunctionBegin;
    PetscCall(PetscObjectTypeCompare((PetscObject)M, PLUGIN_MAT_MPI, &ours));
    if (!ours) {
        PetscCall(PetscFunctionListFind(of_petsc, type, &found));
        PetscCall((*found)(M, type, rows, cols));
        PetscFunctionReturn(0);
    }
    PetscCall(PetscObjectChangeTypeName((PetscObject)M, MATMPIAIJ));
    code = MatGetOrdering(M, type, rows, cols);
    PetscCall(PetscObjectChangeTypeName((PetscObject)M, PLUGIN_MAT_MPI));
    PetscCall(code);
    PetscFunctionReturn(0);
}

PetscErrorCode ordering_register(void)
{
    const char **names;
    int count;
    PetscFunctionBegin;
    PetscCall(PetscFunctionListDuplicate(MatOrderingList, &of_petsc));
    PetscCall(PetscFunctionListGet(of_petsc, &names, &count));
    for (int k = 0; k < count && names[k]; k++)
        PetscCall(MatOrderingRegister(names[k], order));
    PetscCall(PetscFree(names));
    PetscFunctionReturn(0);
}

PetscErrorCode ordering_finish(void)
{
    PetscFunctionBegin;
    PetscCall(PetscFunctionListDestroy(&of_petsc));
    PetscFunctionReturn(0);
}
