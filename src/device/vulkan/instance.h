/* The loader and an instance, with the validation layer's messenger where it is asked for. */
#ifndef VKS_VULKAN_INSTANCE_H
#define VKS_VULKAN_INSTANCE_H

#include "device/device.h"
#include "device/vulkan/api.h"
#include "vksolve/vulkan.h"
#include <stdatomic.h>

struct vulkan_instance {
    struct vulkan_api vk;
    VkInstance handle;
    bool borrowed;    /* the program's: it stays */
    uint32_t version; /* of Vulkan, that devices may be used with */
    VkDebugUtilsMessengerEXT messenger;
    atomic_uint messages; /* of the validation layer; its address is kept, so the struct must not move */
};

/* `o` NULL: nothing of debugging. After a failure the instance must be closed as well. */
vks_status vulkan_instance_open(struct message *m, const char *library, const struct device_options *o,
                                struct vulkan_instance *instance);
/* Takes the program's instance. After a failure the instance must be closed as well. */
vks_status vulkan_instance_borrow(struct message *m, const vks_vulkan_device *own,
                                  struct vulkan_instance *instance);
void vulkan_instance_close(struct vulkan_instance *instance);

/* absent.c: appends "; ..." why there may be no driver or no GPU. */
void vulkan_why_absent(char *text, size_t room);

enum { VULKAN_MOST_DEVICES = 64 };
vks_status vulkan_instance_devices(struct message *m, const struct vulkan_instance *instance,
                                   VkPhysicalDevice list[VULKAN_MOST_DEVICES], uint32_t *count);

#endif
