/* The device features that vksolve uses. Each feature is listed once, with every struct in which a program
 * may have enabled it. */
#include "device/vulkan/profile.h"

#include <stddef.h>

#define FLAG(type, structure, theirs, ours)                                                      \
    {                                                                                            \
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##type, offsetof(VkPhysicalDevice##structure, theirs), \
            offsetof(vks_vulkan_features, ours)                                                  \
    }
#define FLAG12(type, structure, flag)                            \
    FLAG(VULKAN_1_2_FEATURES, Vulkan12Features, flag, v12.flag), \
        FLAG(type##_FEATURES, structure##Features, flag, v12.flag)
#define FLAG13(type, structure, flag)                              \
    FLAG(VULKAN_1_3_FEATURES, Vulkan13Features, flag, sizes.flag), \
        FLAG(type##_FEATURES, structure##Features, flag, sizes.flag)

/* The offset of a feature in Vulkan's struct and in ours. */
static const struct flag {
    VkStructureType type;
    size_t theirs, ours;
} flags[] = {
    FLAG(FEATURES_2, Features2, features.shaderFloat64, core.features.shaderFloat64),
    FLAG(FEATURES_2, Features2, features.shaderInt64, core.features.shaderInt64),
    FLAG(FEATURES_2, Features2, features.sparseBinding, core.features.sparseBinding),
    FLAG12(BUFFER_DEVICE_ADDRESS, BufferDeviceAddress, bufferDeviceAddress),
    FLAG12(SCALAR_BLOCK_LAYOUT, ScalarBlockLayout, scalarBlockLayout),
    FLAG12(TIMELINE_SEMAPHORE, TimelineSemaphore, timelineSemaphore),
    FLAG12(VULKAN_MEMORY_MODEL, VulkanMemoryModel, vulkanMemoryModel),
    FLAG12(VULKAN_MEMORY_MODEL, VulkanMemoryModel, vulkanMemoryModelDeviceScope),
    FLAG12(VULKAN_MEMORY_MODEL, VulkanMemoryModel, vulkanMemoryModelAvailabilityVisibilityChains),
    FLAG12(SHADER_ATOMIC_INT64, ShaderAtomicInt64, shaderBufferInt64Atomics),
    FLAG13(SUBGROUP_SIZE_CONTROL, SubgroupSizeControl, subgroupSizeControl),
    FLAG13(SUBGROUP_SIZE_CONTROL, SubgroupSizeControl, computeFullSubgroups),
    FLAG(SHADER_ATOMIC_FLOAT_FEATURES_EXT, ShaderAtomicFloatFeaturesEXT, shaderBufferFloat32AtomicAdd,
         atomics.shaderBufferFloat32AtomicAdd),
    FLAG(SHADER_ATOMIC_FLOAT_FEATURES_EXT, ShaderAtomicFloatFeaturesEXT, shaderBufferFloat64AtomicAdd,
         atomics.shaderBufferFloat64AtomicAdd),
};

enum { FLAGS = sizeof flags / sizeof flags[0] };

static VkBool32 *ours(vks_vulkan_features *f, const struct flag *flag)
{
    return (VkBool32 *)(void *)((char *)f + flag->ours);
}

static VkBool32 theirs(const void *structure, const struct flag *flag)
{
    return *(const VkBool32 *)(const void *)((const char *)structure + flag->theirs);
}

/* Sets the features that the chain enables; the others are unchanged. */
static void collect(vks_vulkan_features *f, const void *chain)
{
    for (const VkBaseInStructure *s = chain; s; s = s->pNext)
        for (uint32_t i = 0; i < FLAGS; i++)
            if (flags[i].type == s->sType)
                *ours(f, &flags[i]) |= theirs(s, &flags[i]);
}

/* Links the structs that the device supports. */
static void link_chain(vks_vulkan_features *f, const struct vulkan_profile *p)
{
    f->core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    f->v12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    f->v13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
    f->sizes.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES;
    f->atomics.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT;
    f->core.pNext = &f->v12;
    void **end = &f->v12.pNext;
    if (p->version >= VK_API_VERSION_1_3) { /* it includes `sizes`, which must not be chained as well */
        *end = &f->v13;
        end = &f->v13.pNext;
    } else if (p->extensions.subgroup_size_control) {
        *end = &f->sizes;
        end = &f->sizes.pNext;
    }
    if (p->extensions.atomic_float)
        *end = &f->atomics;
}

void vulkan_features_read(const struct vulkan_api *vk, struct vulkan_profile *p)
{
    vks_vulkan_features *f = &p->features;
    link_chain(f, p);
    vk->GetPhysicalDeviceFeatures2(p->physical, &f->core);
    collect(f, &f->core);
}

void vulkan_features_restrict(vks_vulkan_features *f, const VkDeviceCreateInfo *created_with)
{
    vks_vulkan_features enabled = {0};
    VkPhysicalDeviceFeatures2 core = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    if (created_with->pEnabledFeatures)
        core.features = *created_with->pEnabledFeatures;
    collect(&enabled, &core);
    collect(&enabled, created_with->pNext);
    for (uint32_t i = 0; i < FLAGS; i++)
        *ours(f, &flags[i]) &= *ours(&enabled, &flags[i]);
}

static void choose_extensions(const struct vulkan_profile *p, vks_vulkan_features *f)
{
    if (p->extensions.atomic_float)
        f->extensions[f->extension_count++] = VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME;
    if (p->extensions.memory_budget)
        f->extensions[f->extension_count++] = VK_EXT_MEMORY_BUDGET_EXTENSION_NAME;
    if (p->extensions.subgroup_size_control && p->version < VK_API_VERSION_1_3)
        f->extensions[f->extension_count++] = VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME;
}

void vulkan_features_choose(const struct vulkan_profile *p, bool f64, vks_vulkan_features *f)
{
    vks_vulkan_features has = p->features;
    *f = (vks_vulkan_features){0};
    for (uint32_t i = 0; i < FLAGS; i++)
        *ours(f, &flags[i]) = *ours(&has, &flags[i]);
    f->core.features.shaderFloat64 = f64;
    f->v12.shaderBufferInt64Atomics &= f64;
    f->atomics.shaderBufferFloat64AtomicAdd &= f64;
    f->v12.vulkanMemoryModel = f->v12.vulkanMemoryModelDeviceScope =
        f->v12.vulkanMemoryModelAvailabilityVisibilityChains = p->listing.info.memory_model;
    f->v13.subgroupSizeControl = f->sizes.subgroupSizeControl;
    f->v13.computeFullSubgroups = f->sizes.computeFullSubgroups;
    choose_extensions(p, f);
    link_chain(f, p);
}
