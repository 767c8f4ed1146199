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
static bool takes_subgroups(const struct vulkan *v, const struct kernel *k, enum precision precision)
{
    const struct vulkan_subgroups *s = &v->profile.subgroups;
    return v->device.info.subgroups && k->code[precision][1].words && k->group_size % s->width == 0 &&
           k->group_size <= s->most;
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

/* Values of specialisation constants by id: a VkBool32, FUSES of shaders/fused.glsl or with subgroups HALVES
 * of shaders/kernel.glsl, then the kernel's own. Drivers hash all bytes that `info` tells of: none of them
 * may be unset. */
struct specialisation {
    VkSpecializationInfo info;
    VkSpecializationMapEntry entry[1 + MAX_CONSTANTS];
    uint32_t value[1 + MAX_CONSTANTS];
};

static void specialise(struct specialisation *s, const struct vulkan *v, const struct kernel *k,
                       bool subgroups, const uint32_t *constants)
{
    s->value[0] = subgroups ? v->profile.subgroups.width == 64 : v->device.info.fuses;
    memcpy(s->value + 1, constants, k->constants * sizeof *constants);
    for (uint32_t id = 0; id <= k->constants; id++)
        s->entry[id] = (VkSpecializationMapEntry){id, id * (uint32_t)sizeof *s->value, sizeof *s->value};
    s->info =
        (VkSpecializationInfo){1 + k->constants, s->entry, (1 + k->constants) * sizeof *s->value, s->value};
}

static VkResult make(struct vulkan *v, const struct kernel *k, enum precision precision,
                     const uint32_t *constants, VkPipeline *out)
{
    const struct vulkan_api *vk = &v->instance.vk;
    bool subgroups = takes_subgroups(v, k, precision);
    struct specialisation special;
    specialise(&special, v, k, subgroups, constants);
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
    VkResult r = make_module(v, &k->code[precision][subgroups], &info.stage.module);
    if (r)
        return r;
    r = vk->CreateComputePipelines(v->logical, v->cache.handle, 1, &info, NULL, out);
    vk->DestroyShaderModule(v->logical, info.stage.module, NULL);
    return r;
}

enum { DESCRIPTION = 160 };

/* "spmv_coded", or with specialisation constants "spmv_coded (lanes 1, wide 0)". */
static void describe(char text[DESCRIPTION], const struct kernel *k, const uint32_t *constants)
{
    size_t size = DESCRIPTION, used = (size_t)snprintf(text, size, "%.60s", k->name);
    for (uint32_t i = 0; i < k->constants && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s %u%s", i ? ", " : " (", k->constant[i],
                                 constants[i], i + 1 == k->constants ? ")" : "");
}

/* Makes the pipeline, whose debug name is `name`. */
static vks_status compile(struct vulkan *v, const struct kernel *k, enum precision precision,
                          const uint32_t *constants, const char *name, VkPipeline *out)
{
    uint32_t most = v->profile.properties.limits.maxComputeWorkGroupInvocations;
    if (k->group_size > most)
        return fail(v->device.message, VKS_UNSUPPORTED,
                    "kernel %s has workgroups of %u; the most on %s is %u", k->name, k->group_size,
                    v->device.info.name, most);
    VkResult r = make(v, k, precision, constants, out);
    if (r) {
        char doing[DESCRIPTION + 20];
        snprintf(doing, sizeof doing, "compiling kernel %s", name);
        *out = VK_NULL_HANDLE;
        return vulkan_fail(v, r, doing);
    }
    vulkan_name(v, VK_OBJECT_TYPE_PIPELINE, (uint64_t)*out, name);
    v->made_pipelines = true;
    return VKS_OK;
}

static struct pipeline *find(struct pipeline *list, const uint32_t *constants, uint32_t count)
{
    while (list && memcmp(list->constants, constants, count * sizeof *constants) != 0)
        list = list->next;
    return list;
}

/* Makes a pipeline and puts it into the list. There are as many as combinations in use: what a constant can
 * be is bounded by its kernel, so a list stays short. */
static vks_status add(struct vulkan *v, const struct kernel *k, enum precision precision,
                      const uint32_t *constants, struct pipeline **list, struct pipeline **out)
{
    char name[DESCRIPTION], what[DESCRIPTION + 20];
    describe(name, k, constants);
    snprintf(what, sizeof what, "the pipeline of %s", name);
    struct pipeline *p = calloc(1, sizeof *p);
    if (!p)
        return fail_memory(v->device.message, what, sizeof *p);
    vks_status s = compile(v, k, precision, constants, name, &p->handle);
    if (s) {
        free(p);
        return s;
    }
    memcpy(p->constants, constants, k->constants * sizeof *constants);
    p->next = *list;
    *list = *out = p;
    return VKS_OK;
}

vks_status vulkan_pipeline(struct vulkan *v, enum kernel_id kernel, enum precision precision,
                           const void *args, VkPipeline *out)
{
    const struct kernel *k = &kernels[kernel];
    uint32_t constants[MAX_CONSTANTS] = {0};
    if (k->constants)
        memcpy(constants, (const char *)args + k->push_bytes, k->constants * sizeof *constants);
    struct pipeline **list = &v->pipelines[vulkan_wide(v)][kernel][precision],
                    *p = find(*list, constants, k->constants);
    vks_status s = p ? VKS_OK : add(v, k, precision, constants, list, &p);
    *out = p ? p->handle : VK_NULL_HANDLE;
    return s;
}

vks_status vulkan_program_pipeline(struct vulkan *v, struct program *p, enum precision precision,
                                   VkPipeline *out)
{
    static const uint32_t none[MAX_CONSTANTS];
    vks_status s = VKS_OK;
    uint64_t *kept = &p->pipelines[vulkan_wide(v)][precision];
    *out = (VkPipeline)*kept;
    if (!*out)
        s = compile(v, &p->kernel, precision, none, p->kernel.name, out);
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
