/* A Vulkan loader whose devices misbehave, as the list of words in LYING_DEVICE says.
 *
 *   nothing   submitted work ends without being executed
 *   zeros     host-visible memory is zero after each wait and each query of a semaphore
 *   late      nothing ends while a caller waits for it
 *   lost      the device is lost when something is submitted
 *   discrete  software devices report that they are discrete GPUs
 *
 * It is called libvulkan.so.1, and passes everything else on to the real one. */
#include <vulkan/vulkan.h>

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAPS = 64 };

static struct {
    PFN_vkGetInstanceProcAddr instance;
    PFN_vkGetDeviceProcAddr device;
    PFN_vkGetPhysicalDeviceProperties2 properties;
    PFN_vkQueueSubmit submit;
    PFN_vkWaitSemaphores wait;
    PFN_vkGetSemaphoreCounterValue look;
    PFN_vkSignalSemaphore signal;
    PFN_vkMapMemory map;
} real;

static struct {
    void *at;
    size_t bytes;
} maps[MAPS];

static bool lies(const char *word)
{
    const char *words = getenv("LYING_DEVICE");
    return words && strstr(words, word);
}

static void VKAPI_PTR get_properties(VkPhysicalDevice physical, VkPhysicalDeviceProperties2 *p)
{
    real.properties(physical, p);
    if (lies("discrete") && p->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU)
        p->properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
}

static VkResult VKAPI_PTR submit(VkQueue queue, uint32_t count, const VkSubmitInfo *info, VkFence fence)
{
    VkSubmitInfo empty = *info;
    empty.commandBufferCount = 0;
    if (lies("lost"))
        return VK_ERROR_DEVICE_LOST;
    if (lies("late"))
        return VK_SUCCESS;
    return real.submit(queue, count, lies("nothing") ? &empty : info, fence);
}

static void erase(void)
{
    for (uint32_t i = 0; lies("zeros") && i < MAPS && maps[i].at; i++)
        memset(maps[i].at, 0, maps[i].bytes);
}

static VkResult VKAPI_PTR look(VkDevice device, VkSemaphore semaphore, uint64_t *value)
{
    VkResult r = real.look(device, semaphore, value);
    erase();
    return r;
}

/* A late device completes as soon as no caller waits. */
static VkResult VKAPI_PTR wait(VkDevice device, const VkSemaphoreWaitInfo *info, uint64_t nanoseconds)
{
    VkSemaphoreSignalInfo now = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
                                 .semaphore = info->pSemaphores[0],
                                 .value = info->pValues[0]};
    if (lies("late") && !nanoseconds)
        real.signal(device, &now);
    VkResult r = real.wait(device, info, nanoseconds);
    erase();
    return r;
}

static VkResult VKAPI_PTR map(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize bytes,
                              VkMemoryMapFlags flags, void **at)
{
    VkResult r = real.map(device, memory, offset, bytes, flags, at);
    for (uint32_t i = 0; !r && i < MAPS; i++)
        if (!maps[i].at) {
            maps[i].at = *at;
            maps[i].bytes = 1 << 14; /* the first arrays in it */
            break;
        }
    return r;
}

static PFN_vkVoidFunction VKAPI_PTR of_device(VkDevice device, const char *name)
{
    PFN_vkVoidFunction f = real.device(device, name);
#define REPLACE(vulkan, keep, own)      \
    if (!strcmp(name, #vulkan)) {       \
        keep = (PFN_##vulkan)f;         \
        return (PFN_vkVoidFunction)own; \
    }
    REPLACE(vkQueueSubmit, real.submit, submit)
    REPLACE(vkMapMemory, real.map, map)
    REPLACE(vkWaitSemaphores, real.wait, wait)
    REPLACE(vkGetSemaphoreCounterValue, real.look, look)
    real.signal = (PFN_vkSignalSemaphore)real.device(device, "vkSignalSemaphore");
    return f;
}

static PFN_vkVoidFunction VKAPI_PTR of_instance(VkInstance instance, const char *name)
{
    PFN_vkVoidFunction f = real.instance(instance, name);
    REPLACE(vkGetDeviceProcAddr, real.device, of_device)
    REPLACE(vkGetPhysicalDeviceProperties2, real.properties, get_properties)
    return f;
}

/* The entry point of the loader. */
__attribute__((visibility("default"))) PFN_vkVoidFunction VKAPI_CALL
vkGetInstanceProcAddr(VkInstance instance, const char *name)
{
    if (!real.instance) {
        void *library = dlopen(REAL_LOADER, RTLD_NOW | RTLD_LOCAL);
        void *symbol = library ? dlsym(library, "vkGetInstanceProcAddr") : NULL;
        memcpy(&real.instance, &symbol, sizeof symbol);
    }
    return real.instance ? of_instance(instance, name) : NULL;
}
