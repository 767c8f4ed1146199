#include "device/vulkan/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LITTLE_SHARED_BYTES = 32768 };
enum { WORKGROUP = 256 /* invocations of most kernels */, SQUAD = 32, TWO_SQUADS = 64 };

static void unusable(struct vulkan_profile *p, const char *why)
{
    char *text = p->listing.why_not;
    size_t used = strlen(text), room = sizeof p->listing.why_not;
    snprintf(text + used, room - used, "%s%s", used ? ", " : "", why);
    p->listing.usable = false;
}

static vks_status read_extensions(struct message *m, const struct vulkan_api *vk, struct vulkan_profile *p)
{
    uint32_t count = 0;
    if (vk->EnumerateDeviceExtensionProperties(p->physical, NULL, &count, NULL) || !count)
        return VKS_OK;
    VkExtensionProperties *list = calloc(count, sizeof *list);
    if (!list)
        return fail_memory(m, "the extensions of a device", count * sizeof *list);
    if (vk->EnumerateDeviceExtensionProperties(p->physical, NULL, &count, list) < 0)
        count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const char *name = list[i].extensionName;
        p->extensions.subgroup_size_control |= !strcmp(name, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);
        p->extensions.atomic_float |= !strcmp(name, VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME);
        p->extensions.memory_budget |= !strcmp(name, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
        p->extensions.maintenance4 |= !strcmp(name, VK_KHR_MAINTENANCE_4_EXTENSION_NAME);
        p->extensions.external_memory_host |= !strcmp(name, VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME);
        p->extensions.pci_bus_info |= !strcmp(name, VK_EXT_PCI_BUS_INFO_EXTENSION_NAME);
        p->extensions.sm_builtins |= !strcmp(name, VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME);
    }
    free(list);
    return VKS_OK;
}

static uint32_t turn_bytes_of(enum device_kind kind)
{
    if (kind == DEVICE_SOFTWARE)
        return 0;
    return kind == DEVICE_INTEGRATED ? TURN_BYTES_INTEGRATED : TURN_BYTES_DISCRETE;
}

static enum device_kind kind_of(VkPhysicalDeviceType type)
{
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return DEVICE_DISCRETE;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return DEVICE_INTEGRATED;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return DEVICE_SOFTWARE;
    default:
        return DEVICE_VIRTUAL;
    }
}

struct properties {
    VkPhysicalDeviceProperties2 core;
    VkPhysicalDeviceVulkan11Properties v11;
    VkPhysicalDeviceVulkan12Properties v12;
    VkPhysicalDeviceSubgroupSizeControlProperties sizes;
    VkPhysicalDeviceMaintenance4Properties maintenance4;
    VkPhysicalDeviceShaderSMBuiltinsPropertiesNV sms;
    VkPhysicalDeviceExternalMemoryHostPropertiesEXT pages;
    VkPhysicalDevicePCIBusInfoPropertiesEXT pci;
};

static void read_properties(const struct vulkan_api *vk, const struct vulkan_profile *p, struct properties *q)
{
    bool core13 = p->version >= VK_API_VERSION_1_3;
    *q = (struct properties){
        .core = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &q->v11},
        .v11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES, .pNext = &q->v12},
        .v12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES},
        .sizes = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES},
        .maintenance4 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES},
        .sms = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_PROPERTIES_NV},
        .pages = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT},
        .pci = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT},
    };
    if (p->extensions.subgroup_size_control || core13) {
        q->sizes.pNext = q->v12.pNext;
        q->v12.pNext = &q->sizes;
    }
    if (p->extensions.maintenance4 || core13) {
        q->maintenance4.pNext = q->v12.pNext;
        q->v12.pNext = &q->maintenance4;
    }
    if (p->extensions.sm_builtins) {
        q->sms.pNext = q->v12.pNext;
        q->v12.pNext = &q->sms;
    }
    if (p->extensions.external_memory_host) {
        q->pages.pNext = q->v12.pNext;
        q->v12.pNext = &q->pages;
    }
    if (p->extensions.pci_bus_info) {
        q->pci.pNext = q->v12.pNext;
        q->v12.pNext = &q->pci;
    }
    vk->GetPhysicalDeviceProperties2(p->physical, &q->core);
}

/* Reads UUID and PCI address, which distinguish the device from others of its model, even after a reboot. */
static void read_identity(const struct vulkan_profile *p, const struct properties *q,
                          struct device_info *info)
{
    const uint8_t *u = q->v11.deviceUUID;
    size_t used = 0;
    for (uint32_t i = 0; i < VK_UUID_SIZE; i++)
        used += (size_t)snprintf(info->uuid + used, sizeof info->uuid - used, "%s%02x",
                                 i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", u[i]);
    if (p->extensions.pci_bus_info)
        snprintf(info->pci, sizeof info->pci, "%04x:%02x:%02x.%x", q->pci.pciDomain, q->pci.pciBus,
                 q->pci.pciDevice, q->pci.pciFunction);
}

/* The least and the most invocations of a subgroup, whether or not the program enabled their choice. */
struct widths {
    uint32_t least, most;
};

static struct widths widths_of(const struct properties *q)
{
    const VkPhysicalDeviceSubgroupSizeControlProperties *sizes = &q->sizes;
    uint32_t only = q->v11.subgroupSize; /* used if Vulkan reports no range */
    return sizes->maxSubgroupSize ? (struct widths){sizes->minSubgroupSize, sizes->maxSubgroupSize}
                                  : (struct widths){only, only};
}

/* Subgroups of this width, if the device has them or they can be required. */
static struct vulkan_subgroups subgroups_of(uint32_t width, const vks_vulkan_features *f,
                                            const struct properties *q)
{
    struct widths has = widths_of(q);
    bool is_one = has.least <= width && has.most >= width, full = f->sizes.computeFullSubgroups;
    if (is_one && full && f->sizes.subgroupSizeControl &&
        q->sizes.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT)
        return (struct vulkan_subgroups){width, true, true, width * q->sizes.maxComputeWorkgroupSubgroups};
    if (is_one && has.least == has.most)
        return (struct vulkan_subgroups){width, false, full, UINT32_MAX};
    return (struct vulkan_subgroups){0};
}

/* The subgroups for kernels, with the operations that kernel.glsl uses. Width 64 is used only on the user's
 * request: it has not been tested on any device. */
static struct vulkan_subgroups choose_subgroups(const vks_vulkan_features *f, const struct properties *q)
{
    VkSubgroupFeatureFlags needed =
        VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_BIT | VK_SUBGROUP_FEATURE_BALLOT_BIT;
    const char *chosen = getenv("VKSOLVE_SUBGROUPS_64");
    struct vulkan_subgroups none = {0};
    if (!(q->v11.subgroupSupportedStages & VK_SHADER_STAGE_COMPUTE_BIT) ||
        (q->v11.subgroupSupportedOperations & needed) != needed)
        return none;
    struct vulkan_subgroups s = subgroups_of(SQUAD, f, q);
    return s.width || !chosen || strcmp(chosen, "1") != 0 ? s : subgroups_of(TWO_SQUADS, f, q);
}

/* Vulkan does not report registers. Devices with 64-wide subgroups only (GCN, CDNA, Adreno) spill the
 * registers of the largest tiles. So do low-power devices (Apple, Adreno), recognised by the least shared
 * memory. Software devices have no registers. */
static bool has_few_registers(const struct vulkan_profile *p, const struct properties *q)
{
    bool all_wide = widths_of(q).least >= TWO_SQUADS;
    return p->listing.info.kind != DEVICE_SOFTWARE &&
           (all_wide || p->properties.limits.maxComputeSharedMemorySize <= LITTLE_SHARED_BYTES);
}

/* Reads the first queue family with compute, or the program's. */
static void read_queue(const struct vulkan_api *vk, struct vulkan_profile *p, const vks_vulkan_device *own)
{
    VkQueueFamilyProperties families[32];
    uint32_t count = 32;
    vk->GetPhysicalDeviceQueueFamilyProperties(p->physical, &count, families);
    for (uint32_t i = 0; i < count; i++)
        if (families[i].queueCount && (families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) &&
            (!own || i == own->queue_family)) {
            p->family = i;
            p->timestamp_bits = families[i].timestampValidBits;
            p->binds = families[i].queueFlags & VK_QUEUE_SPARSE_BINDING_BIT;
            return;
        }
    unusable(p, own ? "no compute in the family of the queue" : "no compute queue");
}

/* The reason why a buffer cannot be bound to several allocations, or NULL. */
static const char *why_not_split(const struct vulkan_profile *p, bool own)
{
    const VkPhysicalDeviceFeatures *has = &p->features.core.features;
    if (!has->sparseBinding)
        return own ? "sparseBinding was not enabled when the VkDevice was created"
                   : "the device has no sparseBinding";
    if (!has->shaderInt64)
        return own ? "shaderInt64 was not enabled when the VkDevice was created"
                   : "the device has no shaderInt64";
    return p->binds ? NULL : "its queue binds no memory, without VK_QUEUE_SPARSE_BINDING_BIT";
}

static void read_memory(const struct vulkan_api *vk, struct vulkan_profile *p, const struct properties *q,
                        bool own)
{
    VkPhysicalDeviceMemoryProperties2 memory = {.sType =
                                                    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2};
    vk->GetPhysicalDeviceMemoryProperties2(p->physical, &memory);
    p->memory = memory.memoryProperties;

    struct device_info *info = &p->listing.info;
    if (!vulkan_memory_types_choose(&p->memory, info->kind, UINT32_MAX, &p->types)) {
        unusable(p, "no memory for arrays");
        return;
    }
    info->unified = p->types.unified;
    info->memory = p->memory.memoryHeaps[p->memory.memoryTypes[p->types.device].heapIndex].size;
    p->largest_allocation = least(q->v11.maxMemoryAllocationSize, info->memory);
    info->not_split = why_not_split(p, own);
    info->largest_array = p->largest_allocation;
    uint64_t split = least(p->properties.limits.sparseAddressSpaceSize, info->memory);
    if (!info->not_split && split > info->largest_array)
        info->largest_array = split;
    if (!p->features.core.features.shaderInt64)
        info->largest_array = least(info->largest_array, LARGEST_NARROW);
    if (q->maintenance4.maxBufferSize)
        info->largest_array = least(info->largest_array, q->maintenance4.maxBufferSize);
}

static void check_features(struct vulkan_profile *p)
{
    if (!p->features.v12.bufferDeviceAddress)
        unusable(p, "no bufferDeviceAddress");
    if (!p->features.v12.scalarBlockLayout)
        unusable(p, "no scalarBlockLayout");
    if (!p->features.v12.timelineSemaphore)
        unusable(p, "no timelineSemaphore");
    if (p->properties.limits.maxComputeWorkGroupSize[0] < WORKGROUP ||
        p->properties.limits.maxComputeWorkGroupInvocations < WORKGROUP)
        unusable(p, "workgroups of fewer than 256 invocations");
}

/* Reads the abilities of kernels from the features. */
static void read_abilities(struct vulkan_profile *p)
{
    struct device_info *info = &p->listing.info;
    info->f64 = p->features.core.features.shaderFloat64;
    info->atomic_add[PRECISION_F32] = p->features.atomics.shaderBufferFloat32AtomicAdd;
    info->atomic_add[PRECISION_F64] = info->f64 && p->features.atomics.shaderBufferFloat64AtomicAdd;
    info->atomic_swap[PRECISION_F32] = true;
    info->atomic_swap[PRECISION_F64] =
        info->f64 && p->features.core.features.shaderInt64 && p->features.v12.shaderBufferInt64Atomics;
    info->fuses = info->kind != DEVICE_SOFTWARE; /* unreported: the trial corrects it (trial.h) */
    /* With chains, one invocation can publish the writes of its whole workgroup to other workgroups. */
    const VkPhysicalDeviceVulkan12Features *v12 = &p->features.v12;
    info->memory_model = v12->vulkanMemoryModel && v12->vulkanMemoryModelDeviceScope &&
                         v12->vulkanMemoryModelAvailabilityVisibilityChains;
}

vks_status vulkan_profile_read(struct message *m, const struct vulkan_instance *instance,
                               VkPhysicalDevice physical, uint32_t index, const vks_vulkan_device *own,
                               struct vulkan_profile *p)
{
    const struct vulkan_api *vk = &instance->vk;
    struct device_info *info = &p->listing.info;
    *p = (struct vulkan_profile){.physical = physical, .listing = {.usable = true, .info = {.index = index}}};

    VkPhysicalDeviceProperties2 plain = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    vk->GetPhysicalDeviceProperties2(physical, &plain);
    p->properties = plain.properties;
    snprintf(info->name, sizeof info->name, "%s", plain.properties.deviceName);
    info->kind = kind_of(plain.properties.deviceType);
    info->turn_bytes = turn_bytes_of(info->kind);
    uint32_t version = plain.properties.apiVersion;
    p->version = version < instance->version ? version : instance->version;
    if (version < VK_API_VERSION_1_2) { /* the queries below need 1.2 */
        unusable(p, "its driver is older than Vulkan 1.2");
        return VKS_OK;
    }

    TRY(read_extensions(m, vk, p));
    struct properties q;
    read_properties(vk, p, &q);
    vulkan_features_read(vk, p);
    if (own)
        vulkan_features_restrict(&p->features, own->created_with);

    snprintf(info->driver, sizeof info->driver, "%.100s %.150s", q.v12.driverName, q.v12.driverInfo);
    read_identity(p, &q, info);
    read_abilities(p);
    p->subgroups = choose_subgroups(&p->features, &q);
    info->subgroups = p->subgroups.width != 0;
    info->few_registers = has_few_registers(p, &q);
    info->max_groups = (uint32_t)least(65535, p->properties.limits.maxComputeWorkGroupCount[0]);
    p->import_alignment = q.pages.minImportedHostPointerAlignment;
    info->multiprocessors = q.sms.shaderSMCount;
    info->groups_at_once = q.sms.shaderSMCount * q.sms.shaderWarpsPerSM / (WORKGROUP / SQUAD);
    check_features(p);
    p->is_nvidia = q.v12.driverID == VK_DRIVER_ID_NVIDIA_PROPRIETARY;
    if (!own && p->is_nvidia && vulkan_is_inherited())
        unusable(
            p, "its driver opens no device in a process that was forked while its parent had one open: fork "
               "before that, or spawn");
    read_queue(vk, p, own);
    read_memory(vk, p, &q, own);
    return VKS_OK;
}

vks_status vulkan_profiles_read(struct message *m, const struct vulkan_instance *instance,
                                struct vulkan_profile **list, uint32_t *count)
{
    VkPhysicalDevice physical[VULKAN_MOST_DEVICES];
    *list = NULL;
    vks_status s = vulkan_instance_devices(m, instance, physical, count);
    if (s)
        return s;
    struct vulkan_profile *profiles =
        calloc(*count + 1, sizeof *profiles); /* + 1: so that NULL means failure */
    if (!profiles)
        return fail_memory(m, "the list of devices", (*count + 1) * sizeof *profiles);
    for (uint32_t i = 0; !s && i < *count; i++)
        s = vulkan_profile_read(m, instance, physical[i], i, NULL, &profiles[i]);
    if (s)
        free(profiles);
    else
        *list = profiles;
    return s;
}
