/* Replaces Vulkan's header in a build without Vulkan: only the types that vksolve/vulkan.h needs. */
#ifndef VKS_DEVICE_VULKAN_ABSENT_VULKAN_VULKAN_CORE_H
#define VKS_DEVICE_VULKAN_ABSENT_VULKAN_VULKAN_CORE_H

#include <stdint.h>

typedef struct VkInstance_T *VkInstance;
typedef struct VkPhysicalDevice_T *VkPhysicalDevice;
typedef struct VkDevice_T *VkDevice;
typedef struct VkQueue_T *VkQueue;
typedef struct VkBuffer_T *VkBuffer;
typedef struct VkSemaphore_T *VkSemaphore;
typedef uint64_t VkDeviceSize, VkDeviceAddress;
typedef struct VkDeviceCreateInfo VkDeviceCreateInfo;
typedef void (*PFN_vkGetInstanceProcAddr)(void);

typedef struct VkNone {
    int none;
} VkPhysicalDeviceFeatures2, VkPhysicalDeviceVulkan12Features, VkPhysicalDeviceVulkan13Features,
    VkPhysicalDeviceSubgroupSizeControlFeatures, VkPhysicalDeviceShaderAtomicFloatFeaturesEXT;

#endif
