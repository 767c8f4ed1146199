/* Capabilities of SPIR-V, and the features that enable them. The library records no kernel whose capabilities
 * the device lacks, so no such pipeline is made here. */
#include "pipelines.h"

enum { HEADER_WORDS = 5, OP_CAPABILITY = 17 };

const char *capability_lacking(const VkShaderModuleCreateInfo *code, const vks_vulkan_features *enabled)
{
    const VkPhysicalDeviceFeatures *core = &enabled->core.features;
    const VkPhysicalDeviceVulkan12Features *v12 = &enabled->v12;
    const struct {
        uint32_t capability;
        VkBool32 enabled;
        const char *name;
    } known[] = {
        {10, core->shaderFloat64, "Float64"},
        {11, core->shaderInt64, "Int64"},
        {12, v12->shaderBufferInt64Atomics, "Int64Atomics"},
        {5345, v12->vulkanMemoryModel, "VulkanMemoryModel"},
        {5346, v12->vulkanMemoryModelDeviceScope, "VulkanMemoryModelDeviceScope"},
        {5347, v12->bufferDeviceAddress, "PhysicalStorageBufferAddresses"},
        {6033, enabled->atomics.shaderBufferFloat32AtomicAdd, "AtomicFloat32AddEXT"},
        {6034, enabled->atomics.shaderBufferFloat64AtomicAdd, "AtomicFloat64AddEXT"},
    };
    const uint32_t *word = code->pCode, *end = word + code->codeSize / sizeof *word;
    for (word += HEADER_WORDS; word < end && (*word & 0xffff) == OP_CAPABILITY; word += *word >> 16)
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            if (word[1] == known[i].capability && !known[i].enabled)
                return known[i].name;
    return NULL;
}
