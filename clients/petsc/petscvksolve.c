/* The function that PETSc calls if -dll_append names this library. A program may also call it, after
 * PetscInitialize. */
#include "petsc/context.h"
#include "petsc/log.h"
#include "petsc/ordering.h"
#include "petsc/solvers.h"
#include "petsc/vec.h"
#include "petsc/vec_chunks.h"

static PetscBool registered;

static PetscErrorCode finish(void)
{
    PetscFunctionBegin;
    registered = PETSC_FALSE;
    PetscCall(ordering_finish());
    PetscCall(plugin_close());
    PetscFunctionReturn(0);
}

/* The tables of operations that this file was compiled with belong to one minor version. */
static PetscErrorCode check_version(void)
{
    PetscInt major, minor, subminor, release;
    PetscFunctionBegin;
    PetscCall(PetscGetVersionNumber(&major, &minor, &subminor, &release));
    PetscCheck(major == PETSC_VERSION_MAJOR && minor == PETSC_VERSION_MINOR, PETSC_COMM_SELF, PETSC_ERR_SUP,
               "libpetscvksolve.so is built for PETSc %d.%d; this program has %" PetscInt_FMT
               ".%" PetscInt_FMT,
               PETSC_VERSION_MAJOR, PETSC_VERSION_MINOR, major, minor);
    PetscFunctionReturn(0);
}

static PetscErrorCode register_types(void)
{
    PetscFunctionBegin;
    PetscCall(VecRegister(PLUGIN_VEC, vec_create));
    PetscCall(VecRegister(PLUGIN_VEC_SEQ, vec_create_seq));
    PetscCall(VecRegister(PLUGIN_VEC_MPI, vec_create_mpi));
    PetscCall(MatRegister(PLUGIN_MAT_SEQ, mat_create_seq));
    PetscCall(MatRegister(PLUGIN_MAT_MPI, mat_create_mpi));
    PetscCall(MatRegisterRootName(PLUGIN_MAT, PLUGIN_MAT_SEQ, PLUGIN_MAT_MPI));
    PetscCall(MatSeqAIJRegister(PLUGIN_MAT_SEQ, mat_convert));
    PetscCall(ordering_register());
    PetscCall(KSPRegister(PLUGIN_SOLVER, ksp_create));
    PetscCall(PCRegister(PLUGIN_SOLVER, pc_create));
    PetscFunctionReturn(0);
}

PETSC_EXTERN PetscErrorCode PetscDLLibraryRegister_petscvksolve(void);

PetscErrorCode PetscDLLibraryRegister_petscvksolve(void)
{
    PetscFunctionBegin;
    if (registered)
        PetscFunctionReturn(0);
    PetscCall(check_version());
    PetscCall(register_types());
    PetscCall(plugin_log_register());
    PetscCall(PetscOptionsGetBool(NULL, NULL, "-vks_reproducible", &vec_reproducible, NULL));
    PetscCall(PetscRegisterFinalize(finish));
    registered = PETSC_TRUE;
    PetscFunctionReturn(0);
}
