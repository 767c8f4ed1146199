/* The use of the features that a driver reports. Its answers are modified in between. */
#include "tests/support/fork.h"
#include "vulkan_device.h"

#include <stdlib.h>
#include <sys/wait.h>

static PFN_vkGetPhysicalDeviceFeatures2 real_features;
static PFN_vkGetPhysicalDeviceProperties2 real_properties;
static VkBool32 feature_address, feature_scalar, feature_timeline, feature_chains, feature_sizes;
static uint32_t version, group_invocations, subgroup_least, subgroup_most, subgroup_usual;
static VkSubgroupFeatureFlags subgroup_operations;
static VkShaderStageFlags size_stages;
static PFN_vkEnumerateDeviceExtensionProperties real_extensions;
static bool is_nvidia;

/* The struct of this type in a chain. */
static void *find(void *chain, VkStructureType type)
{
    for (VkBaseOutStructure *s = chain; s; s = s->pNext)
        if (s->sType == type)
            return s;
    return NULL;
}

static VKAPI_ATTR void VKAPI_CALL features(VkPhysicalDevice physical, VkPhysicalDeviceFeatures2 *f)
{
    real_features(physical, f);
    VkPhysicalDeviceVulkan12Features *v12 = find(f, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    v12->bufferDeviceAddress &= feature_address;
    v12->scalarBlockLayout &= feature_scalar;
    v12->timelineSemaphore &= feature_timeline;
    v12->vulkanMemoryModelAvailabilityVisibilityChains &= feature_chains;
    VkPhysicalDeviceVulkan13Features *v13 = find(f, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
    if (v13)
        v13->subgroupSizeControl &= feature_sizes;
}

static VKAPI_ATTR void VKAPI_CALL properties(VkPhysicalDevice physical, VkPhysicalDeviceProperties2 *p)
{
    real_properties(physical, p);
    p->properties.apiVersion = version;
    p->properties.limits.maxComputeWorkGroupInvocations = group_invocations;
    p->properties.limits.maxComputeSharedMemorySize = 65536;
    p->properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    VkPhysicalDeviceVulkan11Properties *v11 =
        find(p, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES);
    VkPhysicalDeviceSubgroupSizeControlProperties *sizes =
        find(p, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES);
    VkPhysicalDeviceShaderSMBuiltinsPropertiesNV *sms =
        find(p, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_PROPERTIES_NV);
    if (sms) {
        sms->shaderSMCount = 132;
        sms->shaderWarpsPerSM = 64;
    }
    if (v11) {
        v11->subgroupSupportedOperations = subgroup_operations;
        v11->subgroupSize = subgroup_usual;
    }
    VkPhysicalDeviceVulkan12Properties *v12 =
        find(p, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES);
    if (v12 && is_nvidia)
        v12->driverID = VK_DRIVER_ID_NVIDIA_PROPRIETARY;
    if (sizes) {
        sizes->minSubgroupSize = subgroup_least;
        sizes->maxSubgroupSize = subgroup_most;
        sizes->requiredSubgroupSizeStages = size_stages;
    }
}

/* Reports one extension more than the driver: the one with the number of multiprocessors. */
static VKAPI_ATTR VkResult VKAPI_CALL extensions(VkPhysicalDevice physical, const char *layer,
                                                 uint32_t *count, VkExtensionProperties *list)
{
    uint32_t room = *count - (list != NULL);
    VkResult result = real_extensions(physical, layer, list ? &room : count, list);
    if (!list) {
        ++*count;
        return result;
    }
    list[room] = (VkExtensionProperties){.extensionName = VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME};
    *count = room + 1;
    return result;
}

static struct vulkan_instance instance;

/* A driver that supports everything; each test removes something. */
static void open_instance(void)
{
    must(vulkan_instance_open(&message, VULKAN_LIBRARY, NULL, &instance));
    real_features = instance.vk.GetPhysicalDeviceFeatures2;
    real_properties = instance.vk.GetPhysicalDeviceProperties2;
    instance.vk.GetPhysicalDeviceFeatures2 = features;
    instance.vk.GetPhysicalDeviceProperties2 = properties;
    feature_address = feature_scalar = feature_timeline = feature_chains = feature_sizes = VK_TRUE;
    version = VK_API_VERSION_1_3;
    group_invocations = 1024;
    subgroup_least = 16;
    subgroup_most = 64;
    subgroup_usual = 32;
    subgroup_operations =
        VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_BIT | VK_SUBGROUP_FEATURE_BALLOT_BIT;
    size_stages = VK_SHADER_STAGE_COMPUTE_BIT;
}

static void close_instance(void)
{
    vulkan_instance_close(&instance);
}

TestSuite(vulkan_profile, .init = open_instance, .fini = close_instance);

static struct device_listing the_tested(void)
{
    struct vulkan_profile *list;
    uint32_t count;
    struct device_listing found = {0};
    must(vulkan_profiles_read(&message, &instance, &list, &count));
    for (uint32_t i = 0; i < count; i++)
        if (list[i].listing.info.index == gpu_info()->index)
            found = list[i].listing;
    free(list);
    return found;
}

static void expect_unusable(const char *why_not)
{
    struct device_listing l = the_tested();
    cr_expect_not(l.usable);
    cr_expect_str_eq(l.why_not, why_not);
}

Test(vulkan_profile, a_device_that_lacks_what_is_needed_is_listed_with_the_reason)
{
    struct device_listing l = the_tested();
    cr_expect(l.usable, "%s", l.why_not);
    feature_address = VK_FALSE;
    expect_unusable("no bufferDeviceAddress");
    feature_timeline = VK_FALSE;
    expect_unusable("no bufferDeviceAddress, no timelineSemaphore");
    feature_address = feature_timeline = VK_TRUE;
    feature_scalar = VK_FALSE;
    expect_unusable("no scalarBlockLayout");
    feature_scalar = VK_TRUE;
    group_invocations = 128;
    expect_unusable("workgroups of fewer than 256 invocations");
    version = VK_API_VERSION_1_1;
    expect_unusable("its driver is older than Vulkan 1.2");
}

Test(vulkan_profile, a_device_of_vulkan_1_2_is_usable)
{
    version = VK_API_VERSION_1_2;
    struct device_listing l = the_tested();
    cr_expect(l.usable, "%s", l.why_not);
}

Test(vulkan_profile, how_many_workgroups_run_at_once_is_known_where_the_driver_tells_of_multiprocessors)
{
    skip_unless_lavapipe();
    cr_expect_eq(the_tested().info.groups_at_once, 0);
    real_extensions = instance.vk.EnumerateDeviceExtensionProperties;
    instance.vk.EnumerateDeviceExtensionProperties = extensions;
    struct device_listing l = the_tested();
    cr_expect_eq(l.info.multiprocessors, 132);
    cr_expect_eq(l.info.groups_at_once, 1056);
}

/* One invocation publishes to other workgroups what all invocations of its own have written. */
Test(vulkan_profile, the_memory_model_needs_chains)
{
    cr_expect(the_tested().info.memory_model);
    feature_chains = VK_FALSE;
    struct device_listing l = the_tested();
    cr_expect_not(l.info.memory_model);
    cr_expect(l.usable, "%s", l.why_not);
}

Test(vulkan_profile, subgroups_need_full_ones_of_32_with_shuffles_and_ballots_in_compute)
{
    cr_expect(the_tested().info.subgroups);
    subgroup_least = 64;
    cr_expect_not(the_tested().info.subgroups);
    subgroup_least = 8;
    subgroup_most = 16;
    cr_expect_not(the_tested().info.subgroups);
    subgroup_most = 32;
    cr_expect(the_tested().info.subgroups);
    subgroup_operations = VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_BALLOT_BIT;
    cr_expect_not(the_tested().info.subgroups);
    subgroup_operations = VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_BIT;
    cr_expect_not(the_tested().info.subgroups);
    subgroup_operations = UINT32_MAX;
    size_stages = VK_SHADER_STAGE_FRAGMENT_BIT;
    cr_expect_not(the_tested().info.subgroups);
}

Test(vulkan_profile, the_only_size_of_subgroups_need_not_be_required)
{
    size_stages = 0;
    subgroup_least = subgroup_most = 32;
    cr_expect(the_tested().info.subgroups);
    subgroup_least = 16;
    cr_expect_not(the_tested().info.subgroups);
}

/* As for an Intel GPU in a program's own VkDevice. */
Test(vulkan_profile, one_of_several_sizes_is_not_taken_for_the_only_one_where_none_can_be_required)
{
    feature_sizes = VK_FALSE;
    subgroup_least = 8;
    subgroup_most = 32;
    cr_expect_not(the_tested().info.subgroups);
    subgroup_least = 32;
    cr_expect(the_tested().info.subgroups);
}

/* Usually 64 wide, or 32 if that can be required: RDNA. */
Test(vulkan_profile, registers_are_few_where_the_least_size_of_subgroups_is_64)
{
    subgroup_least = 32;
    subgroup_most = subgroup_usual = 64;
    cr_expect_not(the_tested().info.few_registers);
    feature_sizes = VK_FALSE;
    cr_expect_not(the_tested().info.few_registers);
    subgroup_least = 64;
    cr_expect(the_tested().info.few_registers);
}

Test(vulkan_profile, subgroups_of_64_are_used_where_they_are_wanted)
{
    subgroup_least = subgroup_most = 64;
    cr_expect_not(the_tested().info.subgroups);
    setenv("VKSOLVE_SUBGROUPS_64", "1", 1);
    cr_expect(the_tested().info.subgroups);
    size_stages = 0;
    cr_expect(the_tested().info.subgroups);
    subgroup_least = subgroup_most = 16;
    cr_expect_not(the_tested().info.subgroups);
}

/* In a child process: bit 0 says that the device is usable, bit 1 that NVIDIA's driver would be. */
static int usable_in_child(void)
{
    pid_t child = fork_asleep();
    if (!child) {
        alarm(30);
        is_nvidia = false;
        int usable = the_tested().usable;
        is_nvidia = true;
        _exit(usable | the_tested().usable << 1);
    }
    int status = -1;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert(WIFEXITED(status), "%x", (unsigned)status);
    return WEXITSTATUS(status);
}

/* Counts simulate opening and closing an NVIDIA device. */
Test(vulkan_profile, nvidia_is_unusable_in_a_child_whose_parent_had_its_device_open)
{
    skip_unless_lavapipe();
    struct device *mesa = open_tested((struct device_options){0});
    cr_expect_eq(usable_in_child(), 3, "a device of another driver");
    vulkan_count_devices(2);
    cr_expect_eq(usable_in_child(), 1);
    vulkan_count_devices(-1);
    cr_expect_eq(usable_in_child(), 1);
    is_nvidia = true;
    cr_expect(the_tested().usable, "the parent's own");
    vulkan_count_devices(-1);
    cr_expect_eq(usable_in_child(), 3);
    close_clean(mesa);
}

/* The child has checked, too, before its own children do. */
Test(vulkan_profile, what_is_inherited_is_passed_on)
{
    skip_unless_lavapipe();
    vulkan_count_devices(1);
    is_nvidia = true;
    pid_t child = fork_asleep();
    if (!child) {
        alarm(60);
        _exit(the_tested().usable || usable_in_child() != 1 || usable_in_child() != 1);
    }
    int status = -1;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect_eq(status, 0);
    vulkan_count_devices(-1);
}

Test(vulkan_profile, a_child_opens_a_device_of_mesa_beside_its_parents)
{
    if (!strstr(gpu_info()->driver, "Mesa"))
        cr_skip_test("%s is not Mesa's", gpu_name());
    struct device *d = open_tested((struct device_options){0}), *mine = NULL;
    struct device_options o = {.name = gpu_index(), .no_pipeline_cache = true};
    pid_t child = fork_asleep();
    if (!child) {
        alarm(30);
        _exit(device_vulkan_create(&message, &o, &mine) != VKS_OK);
    }
    int status = -1;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect_eq(status, 0);
    close_clean(d);
}

static VkPipelineShaderStageCreateFlags stage_flags;
static uint32_t stage_size;
static VkBool32 first_constant;

static VKAPI_ATTR VkResult VKAPI_CALL pipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                const VkComputePipelineCreateInfo *info,
                                                const VkAllocationCallbacks *callbacks, VkPipeline *list)
{
    (void)device, (void)cache, (void)count, (void)callbacks, (void)list;
    const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo *size = info->stage.pNext;
    stage_flags = info->stage.flags;
    stage_size = size ? size->requiredSubgroupSize : 0;
    memcpy(&first_constant, info->stage.pSpecializationInfo->pData, sizeof first_constant);
    return VK_ERROR_UNKNOWN;
}

Test(vulkan_profile, pipelines_with_subgroups_demand_full_ones_of_32)
{
    skip_unless_lavapipe();
    OWNED_BY(clean_end) struct device *d = open_tested((struct device_options){0});
    struct vulkan *v = vulkan_of(d);
    VkPipeline p;
    v->instance.vk.CreateComputePipelines = pipelines;
    must_fail(vulkan_pipeline(v, KERNEL_fill, PRECISION_F32, NULL, &p), VKS_UNSUPPORTED,
              "compiling kernel fill on ");
    cr_expect(stage_flags == 0 && stage_size == 0);

    d->info.subgroups = true;
    v->profile.subgroups =
        (struct vulkan_subgroups){.width = 32, .is_required = true, .are_full = true, .most = 1024};
    must_fail(vulkan_pipeline(v, KERNEL_fill, PRECISION_F32, NULL, &p), VKS_UNSUPPORTED, "VkResult -13");
    cr_expect_eq(stage_flags, VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT);
    cr_expect_eq(stage_size, 32);

    v->profile.subgroups.is_required = false; /* there is no other size */
    must_fail(vulkan_pipeline(v, KERNEL_fill, PRECISION_F32, NULL, &p), VKS_UNSUPPORTED, "VkResult -13");
    cr_expect_eq(stage_flags, VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT);
    cr_expect_eq(stage_size, 0);

    v->profile.subgroups.are_full = false; /* full subgroups cannot be required */
    must_fail(vulkan_pipeline(v, KERNEL_fill, PRECISION_F32, NULL, &p), VKS_UNSUPPORTED, "VkResult -13");
    cr_expect_eq(stage_flags, 0);
    cr_expect_eq(first_constant, VK_FALSE, "halves");
    v->profile.subgroups.width = 64;
    must_fail(vulkan_pipeline(v, KERNEL_fill, PRECISION_F32, NULL, &p), VKS_UNSUPPORTED, "VkResult -13");
    cr_expect_eq(first_constant, VK_TRUE, "halves");

    v->profile.subgroups.are_full = true;
    v->profile.subgroups.most = 128; /* smaller than a workgroup of the kernel */
    must_fail(vulkan_pipeline(v, KERNEL_fill, PRECISION_F32, NULL, &p), VKS_UNSUPPORTED, "fill");
    cr_expect(stage_flags == 0 && stage_size == 0);
}

Test(vulkan_profile, validation_without_its_layer_is_unsupported)
{
    struct device *d = NULL;
    struct device_options o = {.name = gpu_index(), .validate = true, .no_pipeline_cache = true};
    setenv("VK_LAYER_PATH", "/no/such/folder", 1);
    must_fail(device_vulkan_create(&message, &o, &d), VKS_UNSUPPORTED,
              "VK_LAYER_KHRONOS_validation is not installed");
    cr_expect_null(d);
}
