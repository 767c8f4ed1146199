#include "petsc/plugin.h"

vks_context *plugin_context;

PetscErrorCode plugin_agree(MPI_Comm comm, PetscErrorCode code)
{
    int failed = code != 0, any = failed;
    PetscFunctionBegin;
    PetscCallMPI(MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, comm));
    PetscCall(code);
    PetscCheck(!any, PETSC_COMM_SELF, PETSC_ERR_LIB, "vksolve failed on another process");
    PetscFunctionReturn(0);
}

PetscErrorCode plugin_fail(vks_status status, const char *message, int line, const char *function,
                           const char *file)
{
    PetscErrorCode code = PETSC_ERR_LIB;
    if (status == VKS_OUT_OF_MEMORY || status == VKS_DEVICE_MEMORY)
        code = PETSC_ERR_MEM;
    else if (status == VKS_UNSUPPORTED || status == VKS_LIMIT)
        code = PETSC_ERR_SUP;
    return PetscError(PETSC_COMM_SELF, line, function, file, code, PETSC_ERROR_INITIAL, "vksolve: %s: %s",
                      vks_status_name(status), message);
}

PetscErrorCode plugin_word(PetscInt value, const char *what, uint32_t *word)
{
    PetscFunctionBegin;
    PetscCheck(value >= 0 && (uint64_t)value <= VKS_LARGEST_INDEX, PETSC_COMM_SELF, PETSC_ERR_SUP,
               "vksolve takes up to %u %s on a process, not %" PetscInt_FMT, VKS_LARGEST_INDEX, what, value);
    *word = (uint32_t)value;
    PetscFunctionReturn(0);
}
