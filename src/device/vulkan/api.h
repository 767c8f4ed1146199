/* Vulkan's functions. The loader is opened with the first device, not at program start, so that vksolve runs
 * without Vulkan. Each function is named once, in the list of its level (global, instance or device). */
#ifndef VKS_VULKAN_API_H
#define VKS_VULKAN_API_H

#include "report/message.h"

#include <stdbool.h>

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#define VULKAN_GLOBAL(X)                    \
    X(CreateInstance)                       \
    X(EnumerateInstanceExtensionProperties) \
    X(EnumerateInstanceLayerProperties)     \
    X(EnumerateInstanceVersion)

#define VULKAN_INSTANCE(X)                       \
    X(CreateDevice)                              \
    X(DestroyInstance)                           \
    X(EnumerateDeviceExtensionProperties)        \
    X(EnumeratePhysicalDevices)                  \
    X(GetDeviceProcAddr)                         \
    X(GetPhysicalDeviceExternalBufferProperties) \
    X(GetPhysicalDeviceFeatures2)                \
    X(GetPhysicalDeviceMemoryProperties2)        \
    X(GetPhysicalDeviceProperties2)              \
    X(GetPhysicalDeviceQueueFamilyProperties)

/* NULL if VK_EXT_debug_utils is not enabled. */
#define VULKAN_DEBUG(X)              \
    X(CreateDebugUtilsMessengerEXT)  \
    X(DestroyDebugUtilsMessengerEXT) \
    X(SetDebugUtilsObjectNameEXT)

/* NULL if VK_EXT_external_memory_host is missing. */
#define VULKAN_IMPORT(X) X(GetMemoryHostPointerPropertiesEXT)

#define VULKAN_DEVICE(X)           \
    X(AllocateCommandBuffers)      \
    X(AllocateMemory)              \
    X(BeginCommandBuffer)          \
    X(BindBufferMemory)            \
    X(CmdBindPipeline)             \
    X(CmdCopyBuffer)               \
    X(CmdFillBuffer)               \
    X(CmdDispatch)                 \
    X(CmdExecuteCommands)          \
    X(CmdPipelineBarrier)          \
    X(CmdPushConstants)            \
    X(CmdResetQueryPool)           \
    X(CmdWriteTimestamp)           \
    X(CreateBuffer)                \
    X(CreateCommandPool)           \
    X(CreateComputePipelines)      \
    X(CreatePipelineCache)         \
    X(CreatePipelineLayout)        \
    X(CreateQueryPool)             \
    X(CreateSemaphore)             \
    X(CreateShaderModule)          \
    X(DestroyBuffer)               \
    X(DestroyCommandPool)          \
    X(DestroyDevice)               \
    X(DestroyPipeline)             \
    X(DestroyPipelineCache)        \
    X(DestroyPipelineLayout)       \
    X(DestroyQueryPool)            \
    X(DestroySemaphore)            \
    X(DestroyShaderModule)         \
    X(EndCommandBuffer)            \
    X(FreeCommandBuffers)          \
    X(FreeMemory)                  \
    X(GetBufferDeviceAddress)      \
    X(GetBufferMemoryRequirements) \
    X(GetDeviceQueue)              \
    X(GetPipelineCacheData)        \
    X(GetQueryPoolResults)         \
    X(GetSemaphoreCounterValue)    \
    X(MapMemory)                   \
    X(QueueBindSparse)             \
    X(QueueSubmit)                 \
    X(WaitSemaphores)

#define VULKAN_MEMBER(name) PFN_vk##name name;
struct vulkan_api {
    void *library;
    PFN_vkGetInstanceProcAddr GetInstanceProcAddr;
    VULKAN_GLOBAL(VULKAN_MEMBER)
    VULKAN_INSTANCE(VULKAN_MEMBER)
    VULKAN_DEBUG(VULKAN_MEMBER)
    VULKAN_IMPORT(VULKAN_MEMBER)
    VULKAN_DEVICE(VULKAN_MEMBER)
};
#undef VULKAN_MEMBER

#define VULKAN_LIBRARY "libvulkan.so.1"

/* Acquires and releases a lock that all contexts share. False: the wait timed out. */
bool vulkan_lock(void);
void vulkan_unlock(bool locked);

/* inherited.c: vulkan_count_devices counts the open devices of NVIDIA's driver in this process.
 * vulkan_is_inherited: whether a device was open in an ancestor at a fork. */
void vulkan_count_devices(int change);
bool vulkan_is_inherited(void);

/* Opens the loader and its global functions. VKS_NO_DEVICE if there is none. */
vks_status vulkan_api_open(struct message *m, const char *library, struct vulkan_api *vk);
vks_status vulkan_api_instance(struct message *m, VkInstance instance, struct vulkan_api *vk);
vks_status vulkan_api_device(struct message *m, VkDevice device, struct vulkan_api *vk);
void vulkan_api_close(struct vulkan_api *vk); /* a zeroed struct is fine */

/* "VK_ERROR_DEVICE_LOST"; a number for rare results. `room` holds the number. */
const char *vulkan_result_name(VkResult result, char room[24]);

#endif
