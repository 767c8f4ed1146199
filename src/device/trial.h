/* What is asked of a device when it is opened, because Vulkan does not tell. */
#ifndef VKS_DEVICE_TRIAL_H
#define VKS_DEVICE_TRIAL_H

#include "device/device.h"

/* Runs shaders/primitive/trial.comp in each precision of the device, and corrects what d->info says of
 * `fuses`, `subgroups` and `polls`: those are assumptions before. */
vks_status device_trial(struct device *d, const struct device_options *o);

#endif
