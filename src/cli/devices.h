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

/* What vks_context_options.device calls the device that a user wrote: auto, host and gpu in any case;
 * anything else, and NULL, as it is. */
const char *device_word(const char *given);

/* Adds to the message about a device that is not there what else can be given; returns the status. */
vks_status device_hint(struct message *m, const char *given, vks_status status);

#endif
