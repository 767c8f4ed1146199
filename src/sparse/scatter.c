#include "sparse/scatter.h"

vks_status scatter_check(const vks_matrix *A)
{
    const struct device_info *info = &A->context->device->info;
    enum precision p = precision_of(A->precision);
    if (info->atomic_add[p] || info->atomic_swap[p])
        return VKS_OK;
    return fail(&A->context->message, VKS_UNSUPPORTED,
                "%s in f64 needs a device that adds 64-bit floats in memory, or swaps 64-bit words there; %s "
                "does neither (coo and csc need neither)",
                vks_format_name(A->storage.format), info->name);
}
