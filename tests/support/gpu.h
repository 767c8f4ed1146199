/* The Vulkan device of the tests. A process looks for it once. */
#ifndef VKS_TESTS_GPU_H
#define VKS_TESTS_GPU_H

#include "device/device.h"
#include "tests/support/gpu_name.h"

const struct device_info *gpu_info(void);

/* Its index among the Vulkan devices, a name that no other device has. */
const char *gpu_index(void);

/* Skips a test whose call failed because the device has no 64-bit floats; a test in both precisions has then
 * run in the other one. */
void skip_without_f64(vks_status s, const char *message);

/* Whether a test for both devices also runs on the Vulkan device. A suite of the build option
 * VKS_TESTS_ON_HOST runs only on the host, unless VKSOLVE_TEST_DEVICE names a device. */
bool both_devices(void);

/* Whether walks over kernels take this precision on the device. On the Vulkan device they leave out f32,
 * whose shaders have the source of f64, unless VKSOLVE_TEST_DEVICE names it. */
bool walks_in(const struct device *d, enum precision p);

/* Whether it is hardware, on which tests run more cases. */
bool on_hardware(void);

#endif
