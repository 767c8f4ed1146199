/* What the Vulkan device of the tests is. It is looked for once in a process. */
#ifndef VKS_TESTS_GPU_H
#define VKS_TESTS_GPU_H

#include "device/device.h"
#include "tests/support/gpu_name.h"

const struct device_info *gpu_info(void);

/* Its index among the Vulkan devices, as a name of it that no other device has. */
const char *gpu_index(void);

/* Skips a test whose call failed because the device has no 64-bit floats; a test in both precisions has then
 * done its part in the other one. */
void skip_without_f64(vks_status s, const char *message);

/* Whether a test that is for both devices runs on it, too. A suite of the build option VKS_TESTS_ON_HOST runs
 * on the host alone, unless VKSOLVE_TEST_DEVICE names a device. */
bool both_devices(void);

/* Whether walks over kernels take this precision on the device. On the Vulkan device they leave out f32,
 * whose shaders have the source of f64, unless VKSOLVE_TEST_DEVICE names it. */
bool walks_in(const struct device *d, enum precision p);

/* Whether it is hardware, on which tests take more. */
bool on_hardware(void);

#endif
