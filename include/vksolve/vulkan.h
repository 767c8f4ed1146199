/* vksolve/vulkan.h -- vksolve inside a program's own Vulkan device.
 *
 * A renderer or a physics engine has an instance, a device, queues and buffers. A context made from them
 * solves in the program's buffers, without a copy, synchronised with the program's own work by semaphores.
 * vksolve never destroys the program's objects; its own are destroyed with the context, before the program
 * destroys the device. docs/gpu.md explains it, examples/vulkan_app.c shows it.
 *
 * vksolve/vksolve.h does not include this header, since it needs Vulkan's headers, of version 1.3 or later.
 * In a library that was built without Vulkan its calls return VKS_NO_DEVICE.
 *
 * Threads: see vksolve/context.h; every call on a context may submit to the queue. */
#ifndef VKSOLVE_VULKAN_H
#define VKSOLVE_VULKAN_H

#include "vksolve/vector.h"
#include <vulkan/vulkan_core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The program's device. vks_vulkan_choose_features ignores `device`, `created_with` and the queue. */
typedef struct vks_vulkan_device {
    VkInstance instance;
    uint32_t api_version; /* VkApplicationInfo.apiVersion of the instance: VK_API_VERSION_1_2 or later */
    VkPhysicalDevice physical_device;
    VkDevice device;
    /* The argument of vkCreateDevice, because a device does not report its features. Only pNext and
     * pEnabledFeatures are read. Features that are not enabled there are not used. */
    const VkDeviceCreateInfo *created_with;
    VkQueue queue;         /* of `device`; vksolve submits to it, and to no other */
    uint32_t queue_family; /* of the queue; it must have compute */
    /* NULL: the function of the system's loader, libvulkan.so.1, which must then have made the instance. */
    PFN_vkGetInstanceProcAddr get_instance_proc_addr;
    /* Called around each use of the queue, never nested, if other threads or contexts use it, too. Both NULL:
     * no other use. They must not call vksolve. */
    void (*lock_queue)(void *user);
    void (*unlock_queue)(void *user);
    void *user;
} vks_vulkan_device;

/* Features and extensions to create a device with. `core` is the head of the chain, for
 * VkDeviceCreateInfo.pNext. A chain may hold each struct only once: the program sets its own features in
 * these structs, and puts others in front of the head. `sizes` is in the chain before Vulkan 1.3, `v13` from
 * then on. The chain points into the struct: it must not be copied. */
typedef struct vks_vulkan_features {
    VkPhysicalDeviceFeatures2 core;
    VkPhysicalDeviceVulkan12Features v12;
    VkPhysicalDeviceVulkan13Features v13;
    VkPhysicalDeviceSubgroupSizeControlFeatures sizes;
    VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomics;
    const char *extensions[3]; /* to be enabled besides the program's own */
    uint32_t extension_count;
} vks_vulkan_features;

/* Fills *features with those that vksolve uses and the physical device has. A context needs
 *
 *     bufferDeviceAddress, scalarBlockLayout, timelineSemaphore.
 *
 * These are used if they are enabled (docs/gpu.md describes the effect):
 *
 *     shaderFloat64                                    VKS_F64 and VKS_MIXED
 *     subgroupSizeControl, computeFullSubgroups        kernels in subgroups of 32; without, in shared memory
 *     vulkanMemoryModel, vulkanMemoryModelDeviceScope,
 *     vulkanMemoryModelAvailabilityVisibilityChains    many iterations in one dispatch, on small systems
 *     shaderBufferFloat32AtomicAdd, ...64AtomicAdd     COO_ATOMIC, CSC_ATOMIC: additions in memory
 *     shaderInt64, shaderBufferInt64Atomics            the same in f64, without those
 *     sparseBinding, shaderInt64                       arrays larger than one allocation of memory, if the
 *                                                      queue has VK_QUEUE_SPARSE_BINDING_BIT
 *
 * VKS_UNSUPPORTED: the physical device lacks a needed feature; VKS_INVALID_ARGUMENT: *device is incomplete;
 * VKS_NO_DEVICE: no loader. `message`, of message_size bytes, receives the reason; NULL: no message. */
static inline vks_status vks_vulkan_choose_features(const vks_vulkan_device *device,
                                                    vks_vulkan_features *features, char *message,
                                                    size_t message_size);
VKS_CALL(vks_vulkan_choose_features, (device, features, message, message_size),
         const vks_vulkan_device *device, vks_vulkan_features *features, char *message, size_t message_size)

/* Opens a context in the program's device. The device, and data that the functions of *device need, must
 * outlive the context and its objects. *device itself, and created_with, are read only during the call.
 * options may be NULL; `device` and `validate` must be zero. The index in its vks_device_info is 0. The call
 * submits a kernel with a known answer to the queue, and waits up to 10 seconds for it: earlier submissions
 * must complete without the calling thread (VKS_TIMEOUT; VKS_NO_DEVICE if the answer is wrong).
 * VKS_INVALID_ARGUMENT: *device or *options is incomplete or contradicts itself. VKS_UNSUPPORTED: a feature
 * that is needed was not enabled, or the queue family has no compute. VKS_NO_DEVICE: no loader, or a driver
 * without functions of Vulkan 1.2. VKS_DEVICE_LOST, VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY. options->message
 * (if given) receives the reason. */
static inline vks_status vks_context_create_vulkan(const vks_vulkan_device *device,
                                                   const vks_context_options *options, vks_context **context);
VKS_CALL(vks_context_create_vulkan, (device, options, context), const vks_vulkan_device *device,
         const vks_context_options *options, vks_context **context)

/* A vector of n elements (0 .. VKS_LARGEST_INDEX), `offset` bytes into the program's buffer, or at a device
 * address; they keep their values. The address must be a multiple of 4 in f32, of 8 in f64. The buffer has
 * the usages STORAGE_BUFFER and SHADER_DEVICE_ADDRESS, its memory was allocated with
 * VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT, and it belongs to the queue's family (sharing mode EXCLUSIVE) or is
 * shared with it (CONCURRENT). It must exist until vks_vector_destroy, which waits for submitted work and
 * does not change the buffer. A call must not be given overlapping ranges if it writes to one of them.
 * vks_vector_read and _write copy by a kernel, so the buffer needs no transfer usage.
 *
 * VKS_INVALID_ARGUMENT: the context was not made by vks_context_create_vulkan; an alignment; the range leaves
 * the buffer (by its memory requirements); VKS_MIXED. VKS_UNSUPPORTED: VKS_F64 without shaderFloat64; more
 * than 4 GiB without shaderInt64. VKS_LIMIT: n is too large. VKS_OUT_OF_MEMORY. */
vks_status vks_vector_wrap_buffer(vks_context *context, VkBuffer buffer, VkDeviceSize offset, uint32_t n,
                                  vks_precision precision, vks_vector **vector) VKS_API;
vks_status vks_vector_wrap_address(vks_context *context, VkDeviceAddress address, uint32_t n,
                                   vks_precision precision, vks_vector **vector) VKS_API;

/* All work that the context submits from now on, transfers included, waits on the device until the semaphore
 * has reached the value, and sees the writes made before the signal. The host does not wait here. Calls that
 * wait for their result also wait for the semaphore (VKS_TIMEOUT after minutes), as do calls that make an
 * array larger than one allocation of memory, since the queue binds its pieces. Later work in the same queue
 * waits, too; the signal must therefore come from the host, from another queue, or from work that was
 * submitted before. The semaphore is a timeline; for a binary one, whose signal must have been submitted, the
 * value is ignored. VKS_INVALID_ARGUMENT: the context was not made by vks_context_create_vulkan.
 * VKS_DEVICE_LOST, VKS_OUT_OF_MEMORY. */
vks_status vks_context_wait_semaphore(vks_context *context, VkSemaphore semaphore, uint64_t value) VKS_API;

/* Signals the semaphore with the value when all work that the context has submitted so far has ended; waits
 * for the semaphore see its writes. The host does not wait. A polled solve (vks_solver_submit) submits as it
 * proceeds: signal after its end. Errors as above. */
vks_status vks_context_signal_semaphore(vks_context *context, VkSemaphore semaphore, uint64_t value) VKS_API;

#ifdef __cplusplus
}
#endif
#endif
