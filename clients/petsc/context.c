/* The context of this process, and its failures. */
#include "petsc/plugin.h"

#include <stdlib.h>

vks_context *plugin_context;
static PetscBool view; /* -vks_view */

/* Which of the ranks of its node this is, as the launchers of MPI tell in the environment. A collective call
 * would wait for ever where one rank opens its device alone. Where no launcher tells it, the rank of all
 * ranks serves: it shares GPUs evenly as long as each node has a multiple of their number. */
static PetscErrorCode node_rank(unsigned *rank)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
                                        "MV2_COMM_WORLD_LOCAL_RANK", "PALS_LOCAL_RANKID", "SLURM_LOCALID"};
    PetscMPIInt among_all;
    PetscFunctionBegin;
    PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &among_all));
    *rank = (unsigned)among_all;
    for (size_t k = 0; k < PETSC_STATIC_ARRAY_LENGTH(names); k++) {
        const char *text = getenv(names[k]);
        char *end;
        long value = text ? strtol(text, &end, 10) : -1;
        if (value >= 0 && end != text && !*end) {
            *rank = (unsigned)value;
            break;
        }
    }
    PetscFunctionReturn(0);
}

/* The index of the discrete GPU that this rank takes; "" where there is none: the automatic device. */
static PetscErrorCode choose_device(char *device, size_t size)
{
    vks_device_info list[64];
    uint32_t count = 0, gpus = 0, index[64];
    unsigned rank = 0;
    vks_status status;
    PetscFunctionBegin;
    device[0] = 0;
    PetscCall(node_rank(&rank));
    status = vks_device_list(list, (uint32_t)PETSC_STATIC_ARRAY_LENGTH(list), &count);
    if (status)
        PetscFunctionReturn(
            plugin_fail(status, "the devices cannot be listed", __LINE__, PETSC_FUNCTION_NAME, __FILE__));
    for (uint32_t i = 0; i < count && i < PETSC_STATIC_ARRAY_LENGTH(list); i++)
        if (list[i].kind == VKS_DEVICE_DISCRETE && list[i].usable)
            index[gpus++] = list[i].index;
    if (gpus)
        PetscCall(PetscSNPrintf(device, size, "%u", index[rank % gpus]));
    PetscFunctionReturn(0);
}

PetscErrorCode plugin_agree(MPI_Comm comm, PetscErrorCode code)
{
    int failed = code != 0, any = failed;
    PetscFunctionBegin;
    PetscCallMPI(MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, comm));
    PetscCall(code);
    PetscCheck(!any, PETSC_COMM_SELF, PETSC_ERR_LIB, "vksolve failed on another process");
    PetscFunctionReturn(0);
}

PetscErrorCode plugin_open(void)
{
    char device[256], message[512] = "";
    vks_context_options o = {.deferred = 1, .message = message, .message_size = sizeof message};
    PetscBool given;
    vks_status status;
    PetscFunctionBegin;
    if (plugin_context)
        PetscFunctionReturn(0);
    /* Now, as PETSc looks for options that nobody has read before it closes this. */
    PetscCall(PetscOptionsHasName(NULL, NULL, "-vks_view", &view));
    PetscCall(PetscOptionsGetString(NULL, NULL, "-vks_device", device, sizeof device, &given));
    if (!given)
        PetscCall(choose_device(device, sizeof device));
    o.device = device[0] ? device : NULL;
    status = vks_context_create(&o, &plugin_context);
    if (status)
        PetscFunctionReturn(plugin_fail(status, message, __LINE__, PETSC_FUNCTION_NAME, __FILE__));
    PetscFunctionReturn(0);
}

PetscErrorCode plugin_close(void)
{
    PetscFunctionBegin;
    if (plugin_context && view)
        PetscCall(plugin_view());
    vks_context_destroy(plugin_context);
    plugin_context = NULL;
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
