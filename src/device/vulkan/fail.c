/* Converts failed Vulkan calls to statuses and messages. */
#include "device/vulkan/vulkan.h"

vks_status vulkan_fail(struct vulkan *v, VkResult result, const char *doing)
{
    struct message *m = v->device.message;
    const char *name = v->device.info.name;
    char room[24];
    switch (result) {
    case VK_ERROR_DEVICE_LOST:
        v->lost = true;
        return fail(m, VKS_DEVICE_LOST, "%s was lost while %s; it cannot be used any more", name, doing);
    case VK_ERROR_OUT_OF_HOST_MEMORY:
        return fail(m, VKS_OUT_OF_MEMORY, "out of host memory while %s on %s", doing, name);
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
        return fail(m, VKS_DEVICE_MEMORY, "out of device memory while %s on %s", doing, name);
    default:
        return fail(m, VKS_UNSUPPORTED, "%s on %s failed: %s", doing, name, vulkan_result_name(result, room));
    }
}
