/* The trial of a newly opened device, which finds properties that Vulkan does not report. */
#ifndef VKS_DEVICE_TRIAL_H
#define VKS_DEVICE_TRIAL_H

#include "device/device.h"

/* Runs shaders/primitive/trial.comp in each precision of the device, and corrects `fuses`, `subgroups` and
 * `polls` of d->info, which are assumptions until then. */
vks_status device_trial(struct device *d, const struct device_options *o);

#endif
