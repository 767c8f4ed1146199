#include "petsc/context.h"
#include "petsc/log.h"

#include <stdlib.h>

static PetscBool view; /* -vks_view */

/* The number of this rank on its node, which MPI launchers put into the environment. A collective call would
 * hang if one rank opens its device alone. Without a launcher, the rank among all ranks is used: it shares
 * GPUs evenly if the number of ranks on each node is a multiple of its number of GPUs. */
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

/* The index of the discrete GPU for this rank; "", the automatic device, if there is none. */
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

PetscErrorCode plugin_open(void)
{
    const char *by_environment = getenv("VKSOLVE_DEVICE");
    char device[256] = "", message[512] = "";
    vks_context_options o = {.deferred = 1, .message = message, .message_size = sizeof message};
    vks_status status;
    PetscFunctionBegin;
    if (plugin_context)
        PetscFunctionReturn(0);
    /* Read now, because PETSc warns of unread options before plugin_close. */
    PetscCall(PetscOptionsHasName(NULL, NULL, "-vks_view", &view));
    PetscCall(PetscOptionsGetString(NULL, NULL, "-vks_device", device, sizeof device, NULL));
    if (!device[0] && !(by_environment && by_environment[0]))
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
