#include "device/vulkan/api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static vks_status missing(struct message *m, const char *name)
{
    return fail(m, VKS_NO_DEVICE, "the Vulkan driver is incomplete: it has no %s", name);
}

vks_status vulkan_api_open(struct message *m, const char *library, struct vulkan_api *vk)
{
    vk->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!vk->library)
        return fail(m, VKS_NO_DEVICE, "there is no Vulkan on this machine: %s cannot be loaded", library);

    /* C has no cast from an object pointer to a function pointer; POSIX says that they have one
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
    return VKS_OK;
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
    return VKS_OK;
}

void vulkan_api_close(struct vulkan_api *vk)
{
    if (vk->library)
        dlclose(vk->library);
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
