#include "device/vulkan/api.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* The loader initialises its own locks on its first call, and two threads may open it at once. NVIDIA's
 * driver 580 also hangs if two threads close devices of two GPUs at once. This lock is the only state that
 * contexts share. Callers wait for it as long as a loader could need, then proceed without it. A forked child
 * whose parent held it waits only once. */
static pthread_mutex_t loader_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool is_stuck;
enum { LOADER_SECONDS = 10 };

bool vulkan_lock(void)
{
    struct timespec end;
    bool locked = !pthread_mutex_trylock(&loader_lock);
    if (!locked && !is_stuck && !clock_gettime(CLOCK_REALTIME, &end)) {
        end.tv_sec += LOADER_SECONDS;
        locked = !pthread_mutex_timedlock(&loader_lock, &end);
    }
    is_stuck = !locked;
    return locked;
}

void vulkan_unlock(bool locked)
{
    if (locked)
        pthread_mutex_unlock(&loader_lock);
}

static vks_status missing(struct message *m, const char *name)
{
    return fail(m, VKS_NO_DEVICE, "the Vulkan driver is incomplete: it has no %s", name);
}

static vks_status open_loader(struct message *m, const char *library, struct vulkan_api *vk)
{
    vk->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!vk->library) {
        const char *why = dlerror();
        return fail(m, VKS_NO_DEVICE, "no Vulkan on this machine: %s cannot be loaded%s%s%s", library,
                    why ? " (" : "", why ? why : "", why ? ")" : "");
    }

    /* C has no cast from an object pointer to a function pointer; POSIX guarantees the same
     * representation. */
    void *symbol = dlsym(vk->library, "vkGetInstanceProcAddr");
    memcpy(&vk->GetInstanceProcAddr, &symbol, sizeof symbol);
    if (!symbol)
        return missing(m, "vkGetInstanceProcAddr");

#define LOAD(name)                                                             \
    if (!(vk->name = (PFN_vk##name)vk->GetInstanceProcAddr(NULL, "vk" #name))) \
        return missing(m, "vk" #name);
    VULKAN_GLOBAL(LOAD)
#undef LOAD
    uint32_t version;
    vk->EnumerateInstanceVersion(&version); /* the loader's first call */
    return VKS_OK;
}

vks_status vulkan_api_open(struct message *m, const char *library, struct vulkan_api *vk)
{
    bool locked = vulkan_lock();
    vks_status s = open_loader(m, library, vk);
    vulkan_unlock(locked);
    return s;
}

vks_status vulkan_api_instance(struct message *m, VkInstance instance, struct vulkan_api *vk)
{
#define LOAD(name)                                                                 \
    if (!(vk->name = (PFN_vk##name)vk->GetInstanceProcAddr(instance, "vk" #name))) \
        return missing(m, "vk" #name);
    VULKAN_INSTANCE(LOAD)
#undef LOAD
#define LOAD(name) vk->name = (PFN_vk##name)vk->GetInstanceProcAddr(instance, "vk" #name);
    VULKAN_DEBUG(LOAD)
#undef LOAD
    return VKS_OK;
}

vks_status vulkan_api_device(struct message *m, VkDevice device, struct vulkan_api *vk)
{
#define LOAD(name)                                                             \
    if (!(vk->name = (PFN_vk##name)vk->GetDeviceProcAddr(device, "vk" #name))) \
        return missing(m, "vk" #name);
    VULKAN_DEVICE(LOAD)
#undef LOAD
#define LOAD(name) vk->name = (PFN_vk##name)vk->GetDeviceProcAddr(device, "vk" #name);
    VULKAN_IMPORT(LOAD)
#undef LOAD
    return VKS_OK;
}

void vulkan_api_close(struct vulkan_api *vk)
{
    if (vk->library) {
        bool locked = vulkan_lock();
        dlclose(vk->library);
        vulkan_unlock(locked);
    }
    *vk = (struct vulkan_api){0};
}

const char *vulkan_result_name(VkResult result, char room[24])
{
    switch (result) {
    case VK_TIMEOUT:
        return "VK_TIMEOUT";
    case VK_ERROR_OUT_OF_HOST_MEMORY:
        return "VK_ERROR_OUT_OF_HOST_MEMORY";
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
        return "VK_ERROR_OUT_OF_DEVICE_MEMORY";
    case VK_ERROR_INITIALIZATION_FAILED:
        return "VK_ERROR_INITIALIZATION_FAILED";
    case VK_ERROR_DEVICE_LOST:
        return "VK_ERROR_DEVICE_LOST";
    case VK_ERROR_TOO_MANY_OBJECTS:
        return "VK_ERROR_TOO_MANY_OBJECTS";
    case VK_ERROR_INCOMPATIBLE_DRIVER:
        return "VK_ERROR_INCOMPATIBLE_DRIVER";
    default:
        snprintf(room, 24, "VkResult %d", (int)result);
        return room;
    }
}
