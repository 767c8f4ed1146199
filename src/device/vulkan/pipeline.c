#include "device/vulkan/vulkan.h"
#include "device/vulkan/widen.h"

#include <stdio.h>
#include <stdlib.h>

enum { PUSH_BYTES = 128 /* that every device has */ };

vks_status vulkan_pipeline_layout(struct vulkan *v)
{
    VkPushConstantRange range = {.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT, .size = PUSH_BYTES};
    VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    VkResult r = v->instance.vk.CreatePipelineLayout(v->logical, &info, NULL, &v->layout);
    return r ? vulkan_fail(v, r, "making the pipeline layout") : VKS_OK;
}

/* The variant with subgroup operations holds only where they are full, and 32 wide. */
static bool takes_subgroups(const struct vulkan *v, const struct kernel *k, enum precision precision)
{
    return v->device.info.subgroups && k->code[precision][1].words && k->group_size % 32 == 0 &&
           k->group_size <= v->profile.subgroup_invocations;
}

/* The code, widened where there are arrays that need it. */
static VkResult make_module(struct vulkan *v, const struct kernel_code *code, VkShaderModule *out)
{
    struct spirv wide = {0};
    if (vulkan_wide(v) && !vulkan_widen(code->words, code->count, &wide))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = sizeof(uint32_t) * (wide.word ? wide.count : code->count),
        .pCode = wide.word ? wide.word : code->words,
    };
    VkResult r = v->instance.vk.CreateShaderModule(v->logical, &info, NULL, out);
    free(wide.word);
    return r;
}

static VkResult make(struct vulkan *v, const struct kernel *k, enum precision precision, VkPipeline *out)
{
    const struct vulkan_api *vk = &v->instance.vk;
    bool subgroups = takes_subgroups(v, k, precision);
    VkBool32 fuses = v->device.info.fuses; /* FUSES of shaders/fused.glsl */
    VkSpecializationMapEntry entry = {.constantID = 0, .size = sizeof fuses};
    VkSpecializationInfo constants = {
        .mapEntryCount = 1, .pMapEntries = &entry, .dataSize = sizeof fuses, .pData = &fuses};
    VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
        .requiredSubgroupSize = 32,
    };
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage =
            {
                .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .pNext = subgroups ? &size : NULL,
                .flags = subgroups ? VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT : 0,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .pName = "main",
                .pSpecializationInfo = &constants,
            },
        .layout = v->layout,
    };
    VkResult r = make_module(v, &k->code[precision][subgroups], &info.stage.module);
    if (r)
        return r;
    r = vk->CreateComputePipelines(v->logical, v->cache.handle, 1, &info, NULL, out);
    vk->DestroyShaderModule(v->logical, info.stage.module, NULL);
    return r;
}

/* Makes *kept, unless it is there. */
static vks_status keep(struct vulkan *v, const struct kernel *k, enum precision precision, VkPipeline *kept)
{
    if (*kept)
        return VKS_OK;
    uint32_t most = v->profile.properties.limits.maxComputeWorkGroupInvocations;
    if (k->group_size > most)
        return fail(v->device.message, VKS_UNSUPPORTED,
                    "kernel %s has workgroups of %u; the most on %s is %u", k->name, k->group_size,
                    v->device.info.name, most);
    VkResult r = make(v, k, precision, kept);
    if (r) {
        char doing[96];
        snprintf(doing, sizeof doing, "compiling kernel %.60s", k->name);
        *kept = VK_NULL_HANDLE;
        return vulkan_fail(v, r, doing);
    }
    vulkan_name(v, VK_OBJECT_TYPE_PIPELINE, (uint64_t)*kept, k->name);
    v->made_pipelines = true;
    return VKS_OK;
}

vks_status vulkan_pipeline(struct vulkan *v, enum kernel_id kernel, enum precision precision, VkPipeline *out)
{
    VkPipeline *kept = &v->pipelines[vulkan_wide(v)][kernel][precision];
    vks_status s = keep(v, &kernels[kernel], precision, kept);
    *out = *kept;
    return s;
}

vks_status vulkan_program_pipeline(struct vulkan *v, struct program *p, enum precision precision,
                                   VkPipeline *out)
{
    uint64_t *kept = &p->pipelines[vulkan_wide(v)][precision];
    *out = (VkPipeline)*kept;
    vks_status s = keep(v, &p->kernel, precision, out);
    *kept = (uint64_t)*out;
    return s;
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

void vulkan_pipelines_close(struct vulkan *v)
{
    const struct vulkan_api *vk = &v->instance.vk;
    for (int wide = 0; wide < 2; wide++)
        for (int k = 0; k < KERNEL_COUNT; k++)
            for (int p = 0; p < PRECISIONS; p++)
                vk->DestroyPipeline(v->logical, v->pipelines[wide][k][p], NULL);
    vk->DestroyPipelineLayout(v->logical, v->layout, NULL);
}
