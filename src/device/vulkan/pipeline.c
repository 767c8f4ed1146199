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

/* The variant with subgroup operations holds only where they are full. */
static bool takes_subgroups(const struct vulkan *v, const struct pipeline *p)
{
    const struct vulkan_subgroups *s = &v->profile.subgroups;
    const struct kernel *k = p->kernel;
    return v->device.info.subgroups && k->code[p->precision][1].count && k->group_size % s->width == 0 &&
           k->group_size <= s->most;
}

/* The code, widened where there are arrays that need it. */
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

/* Values of specialisation constants by id: a VkBool32, FUSES of shaders/fused.glsl or with subgroups HALVES
 * of shaders/kernel.glsl, then the kernel's own. Drivers hash all bytes that `info` tells of: none of them
 * may be unset. */
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

enum { DESCRIPTION = 160 };

/* "spmv_coded", or with specialisation constants "spmv_coded (lanes 1, wide 0)". */
static void describe(char text[DESCRIPTION], const struct pipeline *p)
{
    const struct kernel *k = p->kernel;
    size_t size = DESCRIPTION, used = (size_t)snprintf(text, size, "%.60s", k->name);
    for (uint32_t i = 0; i < k->constants && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s %u%s", i ? ", " : " (", k->constant[i],
                                 p->constants[i], i + 1 == k->constants ? ")" : "");
}

VkResult vulkan_pipeline_make(struct vulkan *v, struct pipeline *p)
{
    char name[DESCRIPTION];
    VkResult r = make(v, p);
    if (r) {
        p->handle = VK_NULL_HANDLE;
        return r;
    }
    describe(name, p);
    vulkan_name(v, VK_OBJECT_TYPE_PIPELINE, (uint64_t)p->handle, name);
    v->made_pipelines = true;
    return VK_SUCCESS;
}

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
    char doing[DESCRIPTION + 20] = "compiling kernel ";
    if (!made)
        return VKS_OK;
    describe(doing + strlen(doing), p);
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
    struct pipeline own = {(VkPipeline)*kept, .kernel = &p->kernel, .precision = precision,
                           .wide = vulkan_wide(v)};
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
