#include "device/vulkan/vulkan.h"

void vulkan_name(const struct vulkan *v, VkObjectType type, uint64_t object, const char *name)
{
    const struct vulkan_api *vk = &v->instance.vk;
    if (!v->names || !vk->SetDebugUtilsObjectNameEXT)
        return;
    VkDebugUtilsObjectNameInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = type,
        .objectHandle = object,
        .pObjectName = name,
    };
    vk->SetDebugUtilsObjectNameEXT(v->logical, &info); /* failing to set a name is not an error */
}
