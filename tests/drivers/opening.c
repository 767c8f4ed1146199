/* The library's device in a VkDevice that reports statistics of its pipelines. The library's known-answer
 * check is skipped, since these devices execute nothing. */
#include "pipelines.h"

#include <stdio.h>

static struct compiler the;
static vks_vulkan_features features;
static PFN_vkCreateShaderModule make_module;
static PFN_vkCreateComputePipelines make_pipelines;

/* Rejects code that the device cannot support. */
static VkResult VKAPI_PTR make_possible_module(VkDevice d, const VkShaderModuleCreateInfo *info,
                                               const VkAllocationCallbacks *a, VkShaderModule *out)
{
    the.lacking = capability_lacking(info, &features);
    return the.lacking ? VK_ERROR_FEATURE_NOT_PRESENT : make_module(d, info, a, out);
}

/* Keeps the statistics of the pipeline. */
static VkResult VKAPI_PTR make_measured_pipeline(VkDevice d, VkPipelineCache cache, uint32_t count,
                                                 const VkComputePipelineCreateInfo *info,
                                                 const VkAllocationCallbacks *a, VkPipeline *out)
{
    VkComputePipelineCreateInfo measured = *info;
    measured.flags |= VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
    VkResult r = count == 1 ? make_pipelines(d, cache, 1, &measured, a, out) : VK_ERROR_UNKNOWN;
    if (!r)
        statistics_read(vulkan_of(the.device), *out, &the.statistics);
    return r;
}

static vks_status failed(VkResult r, const char *doing)
{
    char room[24];
    return r ? fail(&the.message, VKS_NO_DEVICE, "%s: %s", doing, vulkan_result_name(r, room)) : VKS_OK;
}

static vks_status open_instance(struct vulkan_api *vk, vks_vulkan_device *own)
{
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                     .apiVersion = VK_API_VERSION_1_3};
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                 .pApplicationInfo = &application};
    uint32_t count = 1;
    TRY(vulkan_api_open(&the.message, VULKAN_LIBRARY, vk));
    TRY(failed(vk->CreateInstance(&info, NULL, &own->instance), "making an instance"));
    TRY(vulkan_api_instance(&the.message, own->instance, vk));
    vk->EnumeratePhysicalDevices(own->instance, &count, &own->physical_device);
    own->api_version = VK_API_VERSION_1_3;
    return count ? VKS_OK : fail(&the.message, VKS_NO_DEVICE, "the driver finds no device");
}

/* The device that the library would make, with statistics. */
static vks_status open_device(struct vulkan_api *vk, vks_vulkan_device *own, VkDeviceCreateInfo *info)
{
    static const float priority = 1;
    static const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
    static const char *extensions[sizeof features.extensions / sizeof *features.extensions + 1];
    static VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR statistics = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR,
        .pipelineExecutableInfo = VK_TRUE};
    TRY(vks_vulkan_choose_features(own, &features, the.message.text, sizeof the.message.text));
    statistics.pNext = &features.core;
    for (uint32_t i = 0; i < features.extension_count; i++)
        extensions[i] = features.extensions[i];
    extensions[features.extension_count] = VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME;
    *info = (VkDeviceCreateInfo){.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                 .pNext = &statistics,
                                 .queueCreateInfoCount = 1,
                                 .pQueueCreateInfos = &queue,
                                 .enabledExtensionCount = features.extension_count + 1,
                                 .ppEnabledExtensionNames = extensions};
    TRY(failed(vk->CreateDevice(own->physical_device, info, NULL, &own->device), "making a device"));
    TRY(vulkan_api_device(&the.message, own->device, vk));
    vk->GetDeviceQueue(own->device, 0, 0, &own->queue);
    own->created_with = info;
    return VKS_OK;
}

vks_status compiler_open(struct compiler **out)
{
    static struct vulkan_api vk;
    vks_vulkan_device own = {0};
    VkDeviceCreateInfo info;
    struct device_options options = {.no_pipeline_cache = true, .unasked = true, .threads = 1};
    *out = &the;
    TRY(open_instance(&vk, &own));
    TRY(open_device(&vk, &own, &info));
    TRY(vulkan_create_in(&the.message, &options, &own, &the.device));
    struct vulkan_api *library = &vulkan_of(the.device)->instance.vk;
    make_module = library->CreateShaderModule;
    make_pipelines = library->CreateComputePipelines;
    library->CreateShaderModule = make_possible_module;
    library->CreateComputePipelines = make_measured_pipeline;
    return VKS_OK;
}
