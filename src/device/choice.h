/* The device that a caller names. */
#ifndef VKS_DEVICE_CHOICE_H
#define VKS_DEVICE_CHOICE_H

/* The environment variable of calls that name no device. */
#define DEVICE_VARIABLE "VKSOLVE_DEVICE"

/* The value of DEVICE_VARIABLE; NULL if unset or empty. */
const char *device_by_environment(void);

/* Interprets vks_context_options.device: auto, host and gpu in any case, and any other name unchanged. NULL
 * and "" mean the environment variable, or else auto. */
const char *device_choice(const char *given);

#endif
