/* vksolve/vulkan.h -- vksolve inside a program's own Vulkan device.
 *
 * A renderer or a physics engine has an instance, a device, queues and buffers. A context made of them solves
 * in the program's buffers, without a copy, ordered with the program's own work by semaphores. Nothing of the
 * program's is ever destroyed; all that vksolve makes in the device is gone with the context, which must go
 * before the device does. docs/gpu.md tells it in one piece, examples/vulkan_app.c shows it.
 *
 * This header is not part of vksolve/vksolve.h, since it needs Vulkan's headers, of version 1.3 or later. In
 * a library that was built without Vulkan its calls give VKS_NO_DEVICE.
 *
 * Threads: as vksolve/context.h says; and every call that is given a context may submit to the queue. */
#ifndef VKSOLVE_VULKAN_H
#define VKSOLVE_VULKAN_H

#include "vksolve/vector.h"
#include <vulkan/vulkan_core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The program's device. `device`, `created_with` and the queue are not needed by vks_vulkan_choose_features.
 */
typedef struct vks_vulkan_device {
    VkInstance instance;
    uint32_t api_version; /* VkApplicationInfo.apiVersion of the instance: VK_API_VERSION_1_2 or later */
    VkPhysicalDevice physical_device;
    VkDevice device;
    /* What vkCreateDevice was given, since a device does not tell: of it the features are read, in pNext and
     * pEnabledFeatures, nothing else. Features that are not enabled there are not used. */
    const VkDeviceCreateInfo *created_with;
    VkQueue queue;         /* of `device`; vksolve submits to it, and to no other */
    uint32_t queue_family; /* that the queue is of; it must have compute */
    /* NULL: that of the system's loader, libvulkan.so.1, which the instance is then of. */
    PFN_vkGetInstanceProcAddr get_instance_proc_addr;
    /* Where other threads or other contexts use the queue too: called around each use of it, never nested.
     * Both NULL: nobody else does. They must not call vksolve. */
    void (*lock_queue)(void *user);
    void (*unlock_queue)(void *user);
    void *user;
} vks_vulkan_device;

/* What to create a device with. `core` is the head of the chain, for VkDeviceCreateInfo.pNext. What else the
 * program needs it sets in these structs, which a chain may hold but once, or puts in front of the head:
 * `sizes` is in the chain before Vulkan 1.3, `v13` from then on. The chain points into the struct: it must
 * not be copied. */
typedef struct vks_vulkan_features {
    VkPhysicalDeviceFeatures2 core;
    VkPhysicalDeviceVulkan12Features v12;
    VkPhysicalDeviceVulkan13Features v13;
    VkPhysicalDeviceSubgroupSizeControlFeatures sizes;
    VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomics;
    const char *extensions[3]; /* to be enabled besides the program's own */
    uint32_t extension_count;
} vks_vulkan_features;

/* Fills *features with all that vksolve uses and the physical device has. Needed are
 *
 *     bufferDeviceAddress, scalarBlockLayout, timelineSemaphore,
 *
 * without which there is no context. Used where they are enabled (docs/gpu.md says what is lost without):
 *
 *     shaderFloat64                                    VKS_F64 and VKS_MIXED
 *     subgroupSizeControl, computeFullSubgroups        kernels in subgroups of 32; without, in shared memory
 *     vulkanMemoryModel, vulkanMemoryModelDeviceScope,
 *     vulkanMemoryModelAvailabilityVisibilityChains    many iterations in one dispatch, on small systems
 *     shaderBufferFloat32AtomicAdd, ...64AtomicAdd     COO_ATOMIC, CSC_ATOMIC: additions in memory
 *     shaderInt64, shaderBufferInt64Atomics            the same in f64, without those
 *
 * VKS_UNSUPPORTED: the physical device lacks what is needed; VKS_INVALID_ARGUMENT: *device is incomplete;
 * VKS_NO_DEVICE: no loader. `message`, of message_size bytes, then says what; NULL: nowhere. */
VKS_API vks_status vks_vulkan_choose_features(const vks_vulkan_device *device, vks_vulkan_features *features,
                                              char *message, size_t message_size);

/* Opens a context in the program's device, which must outlive it and all that belongs to it, as must what the
 * functions of *device and `user` need. *device itself, and what created_with points to, are read during the
 * call alone. Of the options,
 * which may be NULL, `device` and `validate` must be zero: both are the program's affair. In its
 * vks_device_info the index is 0, whatever number the device has.
 * VKS_INVALID_ARGUMENT: *device or *options is incomplete or contradicts itself. VKS_UNSUPPORTED: a feature
 * that is needed was not enabled, or the queue family has no compute. VKS_NO_DEVICE: no loader, or a driver
 * without functions of Vulkan 1.2. VKS_DEVICE_LOST, VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY. options->message
 * (if given) says what. */
VKS_API vks_status vks_context_create_vulkan(const vks_vulkan_device *device,
                                             const vks_context_options *options, vks_context **context);

/* A vector of n elements (0 .. VKS_LARGEST_INDEX) that lie `offset` bytes into the program's buffer, or at an
 * address of the device's; they keep their values. The address must be a multiple of 4 in f32, of 8 in f64.
 * The buffer has the usages STORAGE_BUFFER and SHADER_DEVICE_ADDRESS, its memory was allocated with
 * VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT, and it belongs to the queue's family (sharing mode EXCLUSIVE) or is
 * shared with it (CONCURRENT). It must stay until vks_vector_destroy, which waits for the work that is
 * submitted, and leaves the buffer as it is. Ranges that overlap must not be given to one call, where it
 * writes one of them. vks_vector_read and _write copy by a kernel, so no usage of transfer is needed.
 *
 * VKS_INVALID_ARGUMENT: the context was not made by vks_context_create_vulkan; an alignment; the range leaves
 * the buffer (as far as its memory requirements tell); VKS_MIXED. VKS_UNSUPPORTED: VKS_F64 without
 * shaderFloat64. VKS_LIMIT: n is too large. VKS_OUT_OF_MEMORY. */
VKS_API vks_status vks_vector_wrap_buffer(vks_context *context, VkBuffer buffer, VkDeviceSize offset,
                                          uint32_t n, vks_precision precision, vks_vector **vector);
VKS_API vks_status vks_vector_wrap_address(vks_context *context, VkDeviceAddress address, uint32_t n,
                                           vks_precision precision, vks_vector **vector);

/* All work that the context submits from now on, transfers included, waits on the device until the semaphore
 * has reached the value, and then sees what was written before it was signalled. The host does not wait here;
 * calls that wait for their result wait for the semaphore, too (VKS_TIMEOUT after minutes). Everything that
 * is submitted to the same queue later waits with it: so the signal must come from the host, from another
 * queue, or from what was submitted before. The semaphore is a timeline; of a binary one, whose signal must
 * have been submitted, the value is ignored. VKS_INVALID_ARGUMENT: the context was not made by
 * vks_context_create_vulkan. VKS_DEVICE_LOST, VKS_OUT_OF_MEMORY. */
VKS_API vks_status vks_context_wait_semaphore(vks_context *context, VkSemaphore semaphore, uint64_t value);

/* Signals the semaphore with the value once all work that the context has submitted so far has ended; who
 * waits for it sees what that work wrote. The host does not wait. A solve that is polled (vks_solver_submit)
 * submits as it goes on: signal when it has ended. Errors as above. */
VKS_API vks_status vks_context_signal_semaphore(vks_context *context, VkSemaphore semaphore, uint64_t value);

#ifdef __cplusplus
}
#endif
#endif
