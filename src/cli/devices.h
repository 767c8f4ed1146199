/* All devices of this machine. */
#ifndef VKS_CLI_DEVICES_H
#define VKS_CLI_DEVICES_H

#include "report/message.h"
#include "vksolve/context.h"

struct devices {
    vks_device_info host;
    vks_device_info *list; /* the Vulkan devices by index */
    uint32_t count;
};

/* devices_free it, also after a failure. */
vks_status devices_find(struct message *m, struct devices *d);
void devices_free(struct devices *d);

/* Opens the device that vks_context_options.device calls so, to see which it is. */
vks_status device_describe(struct message *m, const char *name, vks_device_info *info);

#endif
