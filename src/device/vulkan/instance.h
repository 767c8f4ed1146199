/* The loader and an instance, with the validation layer's messenger if requested. */
#ifndef VKS_VULKAN_INSTANCE_H
#define VKS_VULKAN_INSTANCE_H

#include "device/device.h"
#include "device/vulkan/api.h"
#include "vksolve/vulkan.h"
#include <stdatomic.h>

struct vulkan_instance {
    struct vulkan_api vk;
    VkInstance handle;
    bool borrowed;    /* owned by the program: not destroyed */
    uint32_t version; /* the highest Vulkan version to use with devices */
    VkDebugUtilsMessengerEXT messenger;
    atomic_uint messages; /* of the validation layer; its address is kept, so the struct must not move */
};

/* `o` NULL: no validation and no names. After a failure the instance must still be closed. */
vks_status vulkan_instance_open(struct message *m, const char *library, const struct device_options *o,
                                struct vulkan_instance *instance);
/* Uses the program's instance. After a failure the instance must still be closed. */
vks_status vulkan_instance_borrow(struct message *m, const vks_vulkan_device *own,
                                  struct vulkan_instance *instance);
void vulkan_instance_close(struct vulkan_instance *instance);

/* absent.c: appends "; ..." with reasons for a missing driver or GPU. */
void vulkan_why_absent(char *text, size_t room);

enum { VULKAN_MOST_DEVICES = 64 };
vks_status vulkan_instance_devices(struct message *m, const struct vulkan_instance *instance,
                                   VkPhysicalDevice list[VULKAN_MOST_DEVICES], uint32_t *count);

#endif
