/* The device that a caller names. */
#ifndef VKS_DEVICE_CHOICE_H
#define VKS_DEVICE_CHOICE_H

/* The environment variable of calls that name no device. */
#define DEVICE_VARIABLE "VKSOLVE_DEVICE"

/* What DEVICE_VARIABLE says; NULL: nothing. */
const char *device_by_environment(void);

/* What vks_context_options.device means: auto, host and gpu, which a caller may write in any case, and any
 * other name as it is. NULL and "" mean what the environment says, or else `otherwise`. */
const char *device_choice(const char *given, const char *otherwise);

#endif
