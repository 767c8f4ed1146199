/* Makes pipelines. */
#include "device/vulkan/vulkan.h"
#include "device/vulkan/widen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

vks_status vulkan_pipeline_layout(struct vulkan *v)
{
    VkPushConstantRange range = {.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT, .size = MAX_PUSH_BYTES};
    VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    VkResult r = v->instance.vk.CreatePipelineLayout(v->logical, &info, NULL, &v->layout);
    return r ? vulkan_fail(v, r, "making the pipeline layout") : VKS_OK;
}

/* Whether to use the subgroup variant, which is valid only with full subgroups. */
static bool takes_subgroups(const struct vulkan *v, const struct pipeline *p)
{
    const struct vulkan_subgroups *s = &v->profile.subgroups;
    const struct kernel *k = p->kernel;
    return v->device.info.subgroups && k->code[p->precision][1].count && k->group_size % s->width == 0 &&
           k->group_size <= s->most;
}

/* Makes the shader module, widened if p->wide. */
static VkResult make_module(struct vulkan *v, const struct pipeline *p, bool subgroups, VkShaderModule *out)
{
    struct spirv code, wide = {0};
    if (!kernel_code(p->kernel, p->precision, subgroups, &code))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkResult r = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (!p->wide || vulkan_widen(code.word, code.count, &wide)) {
        const struct spirv *taken = wide.word ? &wide : &code;
        VkShaderModuleCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
            .codeSize = sizeof *taken->word * taken->count,
            .pCode = taken->word,
        };
        r = v->instance.vk.CreateShaderModule(v->logical, &info, NULL, out);
    }
    free(wide.word);
    free(code.word);
    return r;
}

/* Values of specialisation constants by id: first a VkBool32 with id 0 (with subgroups HALVES of
 * shaders/kernel.glsl, else FUSES of shaders/fused.glsl), then the kernel's constants. Drivers hash all bytes
 * that `info` covers, so none may be uninitialised. */
struct specialisation {
    VkSpecializationInfo info;
    VkSpecializationMapEntry entry[1 + MAX_CONSTANTS];
    uint32_t value[1 + MAX_CONSTANTS];
};

static void specialise(struct specialisation *s, const struct vulkan *v, const struct pipeline *p,
                       bool subgroups)
{
    uint32_t count = p->kernel->constants;
    s->value[0] = subgroups ? v->profile.subgroups.width == 64 : v->device.info.fuses;
    memcpy(s->value + 1, p->constants, count * sizeof *p->constants);
    for (uint32_t id = 0; id <= count; id++)
        s->entry[id] = (VkSpecializationMapEntry){id, id * (uint32_t)sizeof *s->value, sizeof *s->value};
    s->info = (VkSpecializationInfo){1 + count, s->entry, (1 + count) * sizeof *s->value, s->value};
}

static VkResult make(struct vulkan *v, struct pipeline *p)
{
    const struct vulkan_api *vk = &v->instance.vk;
    bool subgroups = takes_subgroups(v, p);
    struct specialisation special;
    specialise(&special, v, p, subgroups);
    VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
        .requiredSubgroupSize = v->profile.subgroups.width,
    };
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage =
            {
                .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .pNext = subgroups && v->profile.subgroups.is_required ? &size : NULL,
                .flags = subgroups && v->profile.subgroups.are_full
                             ? VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT
                             : 0,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .pName = "main",
                .pSpecializationInfo = &special.info,
            },
        .layout = v->layout,
    };
    VkResult r = make_module(v, p, subgroups, &info.stage.module);
    if (r)
        return r;
    r = vk->CreateComputePipelines(v->logical, v->cache.handle, 1, &info, NULL, &p->handle);
    vk->DestroyShaderModule(v->logical, info.stage.module, NULL);
    return r;
}

void vulkan_pipeline_describe(const struct pipeline *p, char text[PIPELINE_DESCRIPTION])
{
    const struct kernel *k = p->kernel;
    size_t size = PIPELINE_DESCRIPTION, used = (size_t)snprintf(text, size, "%.60s", k->name);
    for (uint32_t i = 0; i < k->constants && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s %u%s", i ? ", " : " (", k->constant[i],
                                 p->constants[i], i + 1 == k->constants ? ")" : "");
}

VkResult vulkan_pipeline_make(struct vulkan *v, struct pipeline *p)
{
    char name[PIPELINE_DESCRIPTION];
    VkResult r = make(v, p);
    if (r) {
        p->handle = VK_NULL_HANDLE;
        return r;
    }
    vulkan_pipeline_describe(p, name);
    vulkan_name(v, VK_OBJECT_TYPE_PIPELINE, (uint64_t)p->handle, name);
    v->made_pipelines = true;
    return VK_SUCCESS;
}
