/* The pipelines of kernels and of programs, made on demand by recordings. */
#include "device/vulkan/vulkan.h"

#include <stdlib.h>
#include <string.h>

static vks_status check_group(struct vulkan *v, const struct kernel *k)
{
    uint32_t most = v->profile.properties.limits.maxComputeWorkGroupInvocations;
    return k->group_size <= most ? VKS_OK
                                 : fail(v->device.message, VKS_UNSUPPORTED,
                                        "kernel %s has workgroups of %u; the most on %s is %u", k->name,
                                        k->group_size, v->device.info.name, most);
}

static vks_status outcome(struct vulkan *v, const struct pipeline *p, VkResult made)
{
    char doing[PIPELINE_DESCRIPTION + 20] = "compiling kernel ";
    if (!made)
        return VKS_OK;
    vulkan_pipeline_describe(p, doing + strlen(doing));
    return vulkan_fail(v, made, doing);
}

vks_status vulkan_pipeline(struct vulkan *v, enum kernel_id kernel, enum precision precision,
                           const void *args, VkPipeline *out)
{
    struct pipeline *p;
    VkResult made;
    *out = VK_NULL_HANDLE;
    TRY(check_group(v, &kernels[kernel]));
    TRY(vulkan_ahead_take(v, kernel, precision, args, &p, &made));
    *out = p->handle;
    return outcome(v, p, made);
}

vks_status vulkan_program_pipeline(struct vulkan *v, struct program *p, enum precision precision,
                                   VkPipeline *out)
{
    uint64_t *kept = &p->pipelines[vulkan_wide(v)][precision];
    struct pipeline own = {
        .handle = (VkPipeline)*kept, .kernel = &p->kernel, .precision = precision, .wide = vulkan_wide(v)};
    TRY(check_group(v, &p->kernel));
    VkResult made = own.handle ? VK_SUCCESS : vulkan_pipeline_make(v, &own);
    *out = own.handle;
    *kept = (uint64_t)own.handle;
    return outcome(v, &own, made);
}

void vulkan_forget(struct device *d, struct program *p)
{
    struct vulkan *v = vulkan_of(d);
    if (!vulkan_settled(v, v->submitted))
        return;
    for (int wide = 0; wide < 2; wide++)
        for (int i = 0; i < PRECISIONS; i++)
            v->instance.vk.DestroyPipeline(v->logical, (VkPipeline)p->pipelines[wide][i], NULL);
}

static void release(struct vulkan *v, struct pipeline *list)
{
    while (list) {
        struct pipeline *next = list->next;
        v->instance.vk.DestroyPipeline(v->logical, list->handle, NULL);
        free(list);
        list = next;
    }
}

void vulkan_pipelines_close(struct vulkan *v)
{
    const struct vulkan_api *vk = &v->instance.vk;
    for (int wide = 0; wide < 2; wide++)
        for (int k = 0; k < KERNEL_COUNT; k++)
            for (int p = 0; p < PRECISIONS; p++)
                release(v, v->pipelines[wide][k][p]);
    vk->DestroyPipelineLayout(v->logical, v->layout, NULL);
}
