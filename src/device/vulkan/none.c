/* What takes the place of this folder's other files where vksolve is built without Vulkan. */
#include "device/device.h"

#ifdef VKS_NO_VULKAN

static vks_status none(struct message *m)
{
    return fail(m, VKS_NO_DEVICE, "vksolve was built without Vulkan");
}

vks_status device_vulkan_create(struct message *m, const struct device_options *o, struct device **out)
{
    (void)o;
    *out = NULL;
    return none(m);
}

vks_status device_vulkan_list(struct message *m, struct device_listing **list, uint32_t *count)
{
    *list = NULL;
    *count = 0;
    return none(m);
}

uint32_t device_vulkan_messages(const struct device *d)
{
    (void)d;
    return 0;
}

#endif
